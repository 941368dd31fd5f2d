import type { ProblemList } from '../problem-list.js';
import {
  SourceChangedError,
  SourceFailure,
  type SourceEntry,
  type SourcePlace,
  type SourceSystem,
} from '../source-system.js';
import { algorithmOfManifest, bagDeclaration, bagInfoFile, readBag, readBagInfo } from './bag.js';
import { algorithmOfList, readChecksumList } from './checksum-list.js';
import { dataPackageFile, readDataPackage } from './data-package.js';
import { Declarations } from './declarations.js';
import { linesOf } from './lines.js';
import { readRoCrate, roCrateFile } from './ro-crate.js';

/** What is read of a list at once, in bytes. */
const pieceBytes = 256 * 1024;

/** The largest list that is read, in bytes: one of a million files has some 150 MB. */
const maxListBytes = 256 * 1024 * 1024;

/**
 * The largest other descriptor. JSON can be parsed as a whole only, which takes some five times its size in memory; of
 * 300,000 files it has some 60 MB. More of them are declared in a list.
 */
const maxWholeBytes = 64 * 1024 * 1024;

/** What each descriptor that is read as a whole is read by. */
const readers: Readonly<Record<string, (into: Declarations, bytes: Buffer) => void>> = {
  [dataPackageFile]: readDataPackage,
  [roCrateFile]: readRoCrate,
  [bagInfoFile]: readBagInfo,
};

/**
 * Reads every descriptor that lies at the top of a dataset.
 *
 * @param topFiles the files there
 * @param problems to which is added what is wrong with them
 */
export async function readDeclarations(
  source: SourceSystem,
  place: SourcePlace,
  topFiles: readonly SourceEntry[],
  problems: ProblemList,
): Promise<Declarations> {
  const declarations = new Declarations(problems);
  const isBag = topFiles.some(({ path }) => path === bagDeclaration);
  const read: string[] = [];
  const others = topFiles.filter(({ path }) => isOther(path));
  for (const file of isBag ? [...others, ...topFiles.filter(({ path }) => isBagFile(path))] : others)
    if (await isRead(declarations, source, place, file)) read.push(file.path);
  if (isBag) readBag(declarations, read);
  return declarations;
}

/** Whether a file of that path can say something about others, by its name; the caller need not remember the rest. */
export function couldDescribe(path: string): boolean {
  return !path.includes('/') && (path === bagDeclaration || isBagFile(path) || isOther(path));
}

/** Whether a file describes others only where they are a bag. */
function isBagFile(name: string): boolean {
  return name === bagInfoFile || algorithmOfManifest(name) !== undefined;
}

function isOther(name: string): boolean {
  return name === dataPackageFile || name === roCrateFile || algorithmOfList(name) !== undefined;
}

/** Reads a descriptor, and makes it a problem where it cannot be read. */
async function isRead(
  into: Declarations,
  source: SourceSystem,
  place: SourcePlace,
  file: SourceEntry,
): Promise<boolean> {
  const { path } = file;
  try {
    if (await readDescriptor(into, source, place, file)) return true;
    into.invalid(path, 'it is gone or too large to be read');
  } catch (error) {
    if (error instanceof SourceChangedError) into.invalid(path, 'it changed while it was read');
    else if (error instanceof SourceFailure && ['EACCES', 'EPERM'].includes(error.errno ?? ''))
      into.problems.add({ code: 'source.denied', path, message: 'It may not be read.' });
    else throw error;
  }
  return false;
}

/** @returns false where it is gone or too large */
async function readDescriptor(
  into: Declarations,
  source: SourceSystem,
  place: SourcePlace,
  file: SourceEntry,
): Promise<boolean> {
  const { path, size } = file;
  const reader = readers[path];
  if (reader) {
    const bytes = await source.read(place, path, maxWholeBytes);
    if (bytes) reader(into, bytes);
    return bytes !== null;
  }
  if (size > maxListBytes) return false;
  const manifest = algorithmOfManifest(path);
  const algorithm = manifest ?? algorithmOfList(path);
  if (!algorithm) throw new Error(`${path} is no descriptor.`);
  const bytes = Buffer.allocUnsafe(Math.min(size + 1, pieceBytes));
  const lines = linesOf(source.open(place, file, () => Promise.resolve(bytes)));
  await readChecksumList(into, { name: path, algorithm, lines }, manifest ? 'bagit' : 'coreutils');
  return true;
}
