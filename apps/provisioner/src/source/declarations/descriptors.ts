import type { SourcePlace } from '../../model/source-system.js';
import { algorithmOfManifest, bagDeclaration, bagInfoFile, BagInfoReader } from './bag.js';
import { algorithmOfList, ChecksumListReader } from './checksum-list.js';
import { dataPackageFile, DataPackageReader } from './data-package.js';
import type { Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { roCrateFile, RoCrateReader } from './ro-crate.js';
import { submissionFile, SubmissionFileReader } from './submission-file.js';

const mebibyte = 1024 * 1024;

/** The largest size of each descriptor in bytes. A checksum list has no limit, because it is read line by line. */
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

/** Whether the file at a path is a descriptor by its name. No other file is read. */
export function couldDescribe({ kind }: Pick<SourcePlace, 'kind'>, path: string): boolean {
  if (kind === 'submission') return path === submissionFile;
  return !path.includes('/') && (path === bagDeclaration || isBagFile(path) || describesAny(path));
}

/** Whether a file is a descriptor of bags only. */
export function isBagFile(name: string): boolean {
  return name === bagInfoFile || algorithmOfManifest(name) !== undefined;
}

function describesAny(name: string): boolean {
  return name === dataPackageFile || name === roCrateFile || algorithmOfList(name) !== undefined;
}

/** Returns the reader of a descriptor. @throws Error if the name is not that of a descriptor */
export function readerOf(name: string, into: Declarations): DescriptorReader {
  if (name === dataPackageFile) return new DataPackageReader(into);
  if (name === roCrateFile) return new RoCrateReader(into);
  if (name === bagInfoFile) return new BagInfoReader(into);
  if (name === submissionFile) return new SubmissionFileReader(into);
  const manifest = algorithmOfManifest(name);
  const algorithm = manifest ?? algorithmOfList(name);
  if (!algorithm) throw new Error(`${name} is not the name of a descriptor.`);
  return new ChecksumListReader(into, { name, algorithm, dialect: manifest ? 'bagit' : 'coreutils' });
}
