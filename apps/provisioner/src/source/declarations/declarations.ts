import { ProblemList } from '../problem-list.js';
import { tooLong } from '../submission-description.js';
import type { Algorithm } from './algorithms.js';
import { DeclaredFiles } from './declared-files.js';

/** The longest title that is taken, in characters: lists hold that of every dataset in memory. */
export const maxTitleLength = 1_000;

/** What the descriptors of a dataset say, all of them together. */
export class Declarations {
  readonly files = new DeclaredFiles();
  title: string | null = null;
  /** Folders (with a slash at the end) in which every file must be listed, as in a bag's payload. */
  readonly completeFolders: string[] = [];
  /** Whether a bag describes the dataset: then it is complete when everything listed is there. */
  isBag = false;
  /** A bag's `Payload-Oxum`: octets and files below `data/`. */
  oxum: { readonly bytes: number; readonly files: number } | null = null;

  /** @param problems to which is added what is wrong with the descriptors */
  constructor(readonly problems = new ProblemList()) {}

  /** Adds a digest; two different ones of one algorithm for one file are a problem. */
  addChecksum(path: string, algorithm: Algorithm, digest: string, from: string): void {
    if (!this.files.addChecksum(path, algorithm, digest))
      this.invalid(from, `it gives another ${algorithm} for ${path} than another descriptor`);
  }

  /** Takes what a descriptor calls the dataset, unless another has said it. @param member of the descriptor */
  addTitle(title: string, from: string, member: string): void {
    if (title.length <= maxTitleLength) this.title ??= title;
    else this.invalid(from, tooLong(member, title, maxTitleLength));
  }

  invalid(descriptor: string, reason: string): void {
    this.problems.add({
      code: 'descriptor.invalid',
      path: descriptor,
      message: `${descriptor} cannot be used: ${reason}.`,
    });
  }
}

/** Whether a descriptor's path stays inside the dataset and names no part twice removed. */
export function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && path.split('/').every((part) => !['', '.', '..'].includes(part));
}
