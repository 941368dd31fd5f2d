import type { SourcePlace } from '../../model/source-system.js';
import { algorithmOfManifest, bagDeclaration, bagInfoFile, BagInfoReader } from './bag.js';
import { algorithmOfList, ChecksumListReader } from './checksum-list.js';
import { dataPackageFile, DataPackageReader } from './data-package.js';
import type { Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { roCrateFile, RoCrateReader } from './ro-crate.js';
import { submissionFile, SubmissionFileReader } from './submission-file.js';

const mebibyte = 1024 * 1024;

/** The largest descriptors, in bytes. A list has no limit: it says no more than its lines, of which each is one file. */
const maxBytes: Readonly<Record<string, number>> = {
  [dataPackageFile]: 64 * mebibyte,
  [roCrateFile]: 64 * mebibyte,
  [bagInfoFile]: mebibyte,
  [submissionFile]: mebibyte,
};

/** Returns the largest size of a descriptor in bytes; infinite for a checksum list. */
export function maxBytesOf(name: string): number {
  return maxBytes[name] ?? Number.POSITIVE_INFINITY;
}

/** Whether a file of that path can, by its name, describe other files or its submission. No other file is read. */
export function couldDescribe({ kind }: Pick<SourcePlace, 'kind'>, path: string): boolean {
  if (kind === 'submission') return path === submissionFile;
  return !path.includes('/') && (path === bagDeclaration || isBagFile(path) || isOther(path));
}

/** Whether a file describes others only where they are a bag. */
export function isBagFile(name: string): boolean {
  return name === bagInfoFile || algorithmOfManifest(name) !== undefined;
}

function isOther(name: string): boolean {
  return name === dataPackageFile || name === roCrateFile || algorithmOfList(name) !== undefined;
}

/** Returns a reader for a descriptor of that name. @throws Error if there is none */
export function readerOf(name: string, into: Declarations): DescriptorReader {
  if (name === dataPackageFile) return new DataPackageReader(into);
  if (name === roCrateFile) return new RoCrateReader(into);
  if (name === bagInfoFile) return new BagInfoReader(into);
  if (name === submissionFile) return new SubmissionFileReader(into);
  const manifest = algorithmOfManifest(name);
  const algorithm = manifest ?? algorithmOfList(name);
  if (!algorithm) throw new Error(`${name} is no descriptor.`);
  return new ChecksumListReader(into, { name, algorithm, dialect: manifest ? 'bagit' : 'coreutils' });
}
