import { ProblemList } from '../../model/problem-list.js';
import type { SubmissionDescription } from '../../model/source-system.js';
import type { Algorithm } from './algorithms.js';
import { DeclaredFiles } from './declared-files.js';
import { DescriptorError, shown } from './json-document.js';

/** The longest title that is taken, in characters: lists hold that of every dataset in memory. */
export const maxTitleLength = 1_000;

/** The longest path that a descriptor may name, in bytes: no file system of ours opens a longer one. */
const maxPathBytes = 4096;

/** Everything that the descriptors of a place declare together. */
export class Declarations {
  readonly files = new DeclaredFiles();
  readonly problems = new ProblemList();
  title: string | null = null;
  /** What a submission says of itself. */
  description: SubmissionDescription | null = null;
  /** Folders (with a slash at the end) in which every file must be listed, as in a bag's payload. */
  readonly completeFolders: string[] = [];
  /** Whether a bag describes the dataset: then the dataset is complete when every listed file exists. */
  isBag = false;
  /** A bag's `Payload-Oxum`: octets and files below `data/`. */
  oxum: { readonly bytes: number; readonly files: number } | null = null;

  /** Adds a digest; two different ones of one algorithm for one file are a problem. */
  addChecksum(path: string, algorithm: Algorithm, digest: string, from: string): void {
    if (!this.files.addChecksum(path, algorithm, digest))
      this.invalid(from, `it gives another ${algorithm} for ${shown(path)} than another descriptor`);
  }

  /** Takes the title that a descriptor gives the dataset, unless another has given one. @param member of the descriptor */
  addTitle(title: string, from: string, member: string): void {
    if (title.length <= maxTitleLength) this.title ??= title;
    else this.invalid(from, tooLong(member, title, maxTitleLength));
  }

  invalid(descriptor: string, reason: string): void {
    this.refuse(descriptor, new DescriptorError(reason));
  }

  /** Adds the reason for which a descriptor cannot be used to the problems. */
  refuse(descriptor: string, { code, message }: DescriptorError): void {
    this.problems.add({ code, path: descriptor, message: `${descriptor} cannot be used: ${message}.` });
  }
}

/** Returns the reason for which a member of a descriptor is too long. */
export function tooLong(member: string, value: string, max: number): string {
  return `its ${member} has ${String(value.length)} characters; at most ${String(max)} are taken`;
}

/** Whether a descriptor's path stays inside the dataset, names no part `.` or `..`, and can be opened at all. */
export function isInside(path: string): boolean {
  if (path === '' || path.startsWith('/') || Buffer.byteLength(path) > maxPathBytes) return false;
  return path.split('/').every((part) => !['', '.', '..'].includes(part));
}
