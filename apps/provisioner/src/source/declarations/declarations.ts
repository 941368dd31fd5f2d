import { ProblemList } from '../../model/problem-list.js';
import type { SubmissionDescription } from '../../model/source-system.js';
import type { Algorithm } from './algorithms.js';
import { DeclaredFiles } from './declared-files.js';
import { DescriptorError, quoted } from './json-document.js';

/** The longest title in characters. Lists hold the title of every dataset in memory. */
export const maxTitleLength = 1_000;

/** The longest path of a declared file in bytes, which is the limit of Linux. */
const maxPathBytes = 4096;

/** The rules of a bag, which its declaration states. */
export interface BagRules {
  /** The version as `major.minor`. */
  version: string;
  /** The encoding of the tag files in lower case; undefined for UTF-8. */
  encoding: string | undefined;
}

/** A payload manifest of a bag. */
export interface PayloadManifest {
  readonly path: string;
  /** Marks the files that the manifest lists. */
  readonly bit: number;
  /** Whether the whole manifest was read. */
  isRead: boolean;
}

/** Everything that the descriptors of a place declare together. */
export class Declarations {
  readonly files: DeclaredFiles;
  readonly problems = new ProblemList();
  title: string | null = null;
  /** The description of a bag, which is the title if no other descriptor has one. */
  bagTitle: string | null = null;
  /** The description of a submission. */
  description: SubmissionDescription | null = null;
  /** The rules of the bag; null if the dataset is not a bag. */
  bag: BagRules | null = null;
  /** The payload manifests of the dataset, in the order of their bits. */
  readonly payloadManifests: PayloadManifest[] = [];
  /** A bag's `Payload-Oxum`: bytes and files below `data/`. */
  oxum: { readonly bytes: number; readonly files: number } | null = null;

  /** @param maxBytes memory that the declared files may take */
  constructor(maxBytes?: number) {
    this.files = new DeclaredFiles(maxBytes);
  }

  /**
   * Adds a digest. Two different digests of one file and algorithm are a problem.
   *
   * @param looseNames see `Target`
   * @returns whether the digest was added
   */
  addChecksum(path: string, algorithm: Algorithm, digest: string, from: string, looseNames = 0): boolean {
    const isAdded = this.files.addChecksum(path, algorithm, digest, looseNames);
    if (!isAdded) this.invalid(from, `its ${algorithm} of ${quoted(path)} contradicts another line or descriptor`);
    return isAdded;
  }

  /** Sets the title of the dataset unless another descriptor has set it. @param member the name of the title's member */
  addTitle(title: string, from: string, member: string): void {
    if (title.length <= maxTitleLength) this.title ??= title;
    else this.invalid(from, tooLong(member, title, maxTitleLength));
  }

  invalid(descriptor: string, reason: string): void {
    this.refuse(descriptor, new DescriptorError(reason));
  }

  /** Adds the problem that a descriptor cannot be used. */
  refuse(descriptor: string, { code, message }: DescriptorError): void {
    this.problems.add({ code, path: descriptor, message: `${descriptor} cannot be used: ${message}.` });
  }

  /** Reports that checksums of a descriptor are not compared, which does not refuse the place. */
  notCompared(descriptor: string, reason: string): void {
    const message = `${descriptor} is not compared, or not completely: ${reason}.`;
    this.problems.add({ code: 'checksum.not_compared', path: descriptor, message });
  }
}

/** Returns the reason that a member of a descriptor is too long. */
export function tooLong(member: string, value: string, max: number): string {
  return `its ${member} has ${String(value.length)} characters and may have ${String(max)}`;
}

/** Whether a declared path is inside the dataset, has no part `.` or `..`, and is short enough to be opened. */
export function isInside(path: string): boolean {
  if (path === '' || path.startsWith('/') || Buffer.byteLength(path) > maxPathBytes) return false;
  return path.split('/').every((part) => !['', '.', '..'].includes(part));
}
