import { SourceFailure, type SourcePlace, type SourceSystem } from '../source-system.js';
import { algorithmOfManifest, bagDeclaration, readBag } from './bag.js';
import { algorithmOfList, readChecksumList } from './checksum-list.js';
import { dataPackageFile, readDataPackage } from './data-package.js';
import { Declarations } from './declarations.js';
import { readRoCrate, roCrateFile } from './ro-crate.js';

/** The largest descriptor that is read, in bytes: a manifest of a million files has some 150 MB. */
const maxDescriptorBytes = 256 * 1024 * 1024;

/**
 * Reads every descriptor that lies at the top of a dataset.
 *
 * @param topFiles the names of the files there
 */
export async function readDeclarations(
  source: SourceSystem,
  place: SourcePlace,
  topFiles: readonly string[],
): Promise<Declarations> {
  const declarations = new Declarations();
  const isBag = topFiles.includes(bagDeclaration);
  const bagFiles = new Map<string, Buffer>();
  for (const name of topFiles.filter((each) => isDescriptor(each, isBag))) {
    const bytes = await readAllowed(source, place, name);
    if (bytes === 'denied')
      declarations.problems.push({ code: 'source.denied', path: name, message: 'It may not be read.' });
    else if (bytes === null) declarations.invalid(name, 'it is gone or too large to be read');
    else if (isBag && isBagFile(name)) bagFiles.set(name, bytes);
    else readDescriptor(declarations, name, bytes);
  }
  if (isBag) readBag(declarations, bagFiles);
  return declarations;
}

async function readAllowed(source: SourceSystem, place: SourcePlace, name: string): Promise<Buffer | 'denied' | null> {
  try {
    return await source.read(place, name, maxDescriptorBytes);
  } catch (error) {
    if (error instanceof SourceFailure && ['EACCES', 'EPERM'].includes(error.errno ?? '')) return 'denied';
    throw error;
  }
}

/** Whether a file of that path can say something about others, by its name; the caller need not remember the rest. */
export function couldDescribe(path: string): boolean {
  return !path.includes('/') && (path === bagDeclaration || isDescriptor(path, true));
}

function isBagFile(name: string): boolean {
  return name === 'bag-info.txt' || algorithmOfManifest(name) !== undefined;
}

function isDescriptor(name: string, isBag: boolean): boolean {
  return (
    name === dataPackageFile ||
    name === roCrateFile ||
    algorithmOfList(name) !== undefined ||
    (isBag && isBagFile(name))
  );
}

function readDescriptor(into: Declarations, name: string, bytes: Buffer): void {
  if (name === dataPackageFile) readDataPackage(into, bytes);
  else if (name === roCrateFile) readRoCrate(into, bytes);
  else {
    const algorithm = algorithmOfList(name);
    if (algorithm) readChecksumList(into, { name, text: bytes.toString('utf8'), algorithm }, 'coreutils');
  }
}
