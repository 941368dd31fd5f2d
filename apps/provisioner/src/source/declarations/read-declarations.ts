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
import { maxDescriptionBytes, submissionFile, tooLongMembers } from '../submission-description.js';

/** What is read of a list at once, in bytes. */
const pieceBytes = 256 * 1024;

/** The largest list that is read, in bytes: one of a million files has some 150 MB. */
const maxListBytes = 256 * 1024 * 1024;

/** What all lists of a dataset may have together: of what they name, each path is kept in memory once. */
const maxListsBytes = 2 * maxListBytes;

/**
 * The largest other descriptor. JSON can be parsed as a whole only, which takes some five times its size in memory; of
 * 300,000 files it has some 60 MB. More of them are declared in a list.
 */
const maxWholeBytes = 64 * 1024 * 1024;

/** How a descriptor is read that is read as a whole. */
interface WholeReader {
  readonly read: (into: Declarations, bytes: Buffer) => void;
  readonly maxBytes: number;
}

const wholeReaders: Readonly<Record<string, WholeReader>> = {
  [dataPackageFile]: { read: readDataPackage, maxBytes: maxWholeBytes },
  [roCrateFile]: { read: readRoCrate, maxBytes: maxWholeBytes },
  [bagInfoFile]: { read: readBagInfo, maxBytes: maxWholeBytes },
  [submissionFile]: { read: checkSubmission, maxBytes: maxDescriptionBytes },
};

/**
 * Reads every descriptor that lies at the top of a dataset, or what a submission says of itself: that declares nothing
 * of its files.
 *
 * @param topFiles the files there that `couldDescribe` others
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
  const others = topFiles.filter(({ path }) => path !== bagDeclaration && !isBagFile(path));
  let listBytes = 0;
  for (const file of isBag ? [...others, ...topFiles.filter(({ path }) => isBagFile(path))] : others) {
    if (!wholeReaders[file.path]) listBytes += file.size;
    if (listBytes > maxListsBytes)
      declarations.invalid(file.path, `all lists of a dataset together may have ${mebibytes(maxListsBytes)}`);
    else if (await isRead(declarations, source, place, file)) read.push(file.path);
  }
  if (isBag) readBag(declarations, read);
  return declarations;
}

/** Whether a file of that path can, by its name, say something of others or of its submission; no other is needed later. */
export function couldDescribe({ kind }: SourcePlace, path: string): boolean {
  if (kind === 'submission') return path === submissionFile;
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
    const maxBytes = wholeReaders[path]?.maxBytes ?? maxListBytes;
    into.invalid(path, `it is gone, or larger than ${mebibytes(maxBytes)}`);
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
  const whole = wholeReaders[path];
  if (whole) {
    const bytes = await source.read(place, path, whole.maxBytes);
    if (bytes) whole.read(into, bytes);
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

/** Nothing else of a submission's own words can be wrong: what is no text counts as not said. */
function checkSubmission(into: Declarations, bytes: Buffer): void {
  for (const reason of tooLongMembers(bytes)) into.invalid(submissionFile, reason);
}

function mebibytes(bytes: number): string {
  return `${String(bytes / 1024 / 1024)} MiB`;
}
