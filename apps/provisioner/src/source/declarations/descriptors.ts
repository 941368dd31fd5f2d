import type { SourcePlace } from '../../model/source-system.js';
import { BagDeclarationReader } from './bag/bag-declaration.js';
import { BagInfoReader } from './bag/bag-info.js';
import { BagManifestReader } from './bag/bag-manifest.js';
import { bagDeclaration, bagInfoFile, fetchFile, isBagFile, manifestNamed } from './bag/bag-names.js';
import { FetchListReader } from './bag/fetch-list.js';
import { dataPackageFile, DataPackageReader, dataPackageYaml } from './data-package.js';
import type { Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { ChecksumListReader } from './lists/checksum-list.js';
import { listNamed, looksLikeList } from './lists/list-names.js';
import { folderScope, submissionScope, type SubmissionScope } from './lists/list-scope.js';
import { roCrateFile, RoCrateReader } from './ro-crate.js';
import { submissionFile, SubmissionFileReader } from './submission-file.js';
import { YamlReader } from './yaml-reader.js';

const mebibyte = 1024 * 1024;

/** The largest size of each descriptor in bytes. A checksum list has no limit, because it is read line by line. */
const maxBytes: Readonly<Record<string, number>> = {
  [dataPackageFile]: 64 * mebibyte,
  // The whole document is built in the memory of the thread.
  [dataPackageYaml]: mebibyte / 4,
  [roCrateFile]: 64 * mebibyte,
  [bagDeclaration]: mebibyte,
  [bagInfoFile]: mebibyte,
  [submissionFile]: mebibyte,
};

/** Returns the largest size of a descriptor in bytes; infinite for a checksum list. */
export function maxBytesOf(path: string): number {
  return maxBytes[path] ?? Number.POSITIVE_INFINITY;
}

/** Whether the file at a path is a descriptor by its name, or looks like a checksum list. No other file is read. */
export function couldDescribe({ kind }: Pick<SourcePlace, 'kind'>, path: string): boolean {
  const name = nameOf(path);
  if (listNamed(name) !== null || looksLikeList(name)) return true;
  if (kind === 'submission') return path === submissionFile;
  return name === path && ([dataPackageFile, dataPackageYaml, roCrateFile].includes(path) || isBagFile(path));
}

/** A descriptor whose content is read next. */
export interface DescriptorOrder {
  /** The path as messages state it. For a list of the submission, it begins with `../`. */
  readonly path: string;
  /** Present for a list at the top of a submission. */
  readonly submission?: SubmissionScope;
}

/** Returns the reader of a descriptor; null if the content is not needed, which is reported unless the file is no list. */
export function readerOf({ path, submission }: DescriptorOrder, into: Declarations): DescriptorReader | null {
  const name = nameOf(path);
  if (path === submissionFile) return new SubmissionFileReader(into);
  if (!submission && name === path && isBagFile(name)) return bagReaderOf(name, into);
  const manifest = manifestNamed(name);
  if (!submission && manifest?.algorithm && into.bag) {
    into.notCompared(path, 'it is a manifest in the payload of a bag, whose own manifests are compared');
    return null;
  }
  if (!submission && manifest?.algorithm)
    return new BagManifestReader(into, { path, kind: manifest.kind, algorithm: manifest.algorithm });
  if (path === dataPackageFile) return new DataPackageReader(into);
  if (path === dataPackageYaml) return new YamlReader(new DataPackageReader(into, dataPackageYaml));
  if (path === roCrateFile) return new RoCrateReader(into);
  const list = listNamed(name);
  if (list) {
    const scope = submission ? submissionScope(submission, list.stem) : folderScope(path);
    return new ChecksumListReader(into, { path, ...list, scope });
  }
  into.notCompared(path, 'neither its name nor its algorithm is supported. Deliver its checksums as SHA256SUMS');
  return null;
}

/** Returns the reader of a file at the top of a dataset that is one of a bag's own. */
function bagReaderOf(name: string, into: Declarations): DescriptorReader | null {
  if (name === bagDeclaration) return new BagDeclarationReader(into);
  const manifest = manifestNamed(name);
  if (manifest?.algorithm)
    return new BagManifestReader(into, { path: name, kind: manifest.kind, algorithm: manifest.algorithm });
  if (manifest && (into.bag || looksLikeList(name)))
    into.notCompared(name, 'the algorithm of this manifest is not supported');
  if (manifest || !into.bag) return null;
  return name === fetchFile ? new FetchListReader(into) : new BagInfoReader(into);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
