import type { Problem, ProblemCode } from '../../model/problem.js';
import type { SubmissionDescription } from '../../model/source-system.js';
import type { Algorithm } from './algorithms.js';
import type { Checksums } from './declared-files.js';
import type { DescriptorOrder } from './descriptors.js';

/** Requests to a declaration thread. A thread reads one place at a time and answers each request before the next. */
export interface DeclarationRequests {
  /** Forgets the previous place. `maxBytes`: memory that the declared files may take before they are moved to a temporary file. */
  begin: { readonly maxBytes: number };
  /** Begins a descriptor. The answer is whether its content is needed. */
  open: DescriptorOrder;
  /** Continues the descriptor. The answer is whether the rest of the descriptor is needed. */
  write: { readonly bytes: Uint8Array };
  /** Ends the descriptor. The answer is whether the whole descriptor was used. */
  end: object;
  /** Adds a problem that was found outside the thread. */
  refuse: { readonly problem: Problem };
  /** Ends the descriptors. */
  conclude: object;
  /** Compares existing files with the declared files. */
  compare: { readonly paths: readonly string[]; readonly sizes: readonly number[] };
  /** Ends the comparison by path. The answer is whether declared files must be searched by a part of their path. */
  searchMissing: object;
  /** Searches the missing declared files among existing files. To be called for all files of the place. */
  match: { readonly paths: readonly string[] };
  /** Ends the comparison: declared files that were in no `compare` are missing. */
  finish: object;
  /** Requests the next named problems. An empty page is the last. */
  problems: object;
  /** Requests the declared checksums of files. */
  checksums: { readonly paths: readonly string[] };
}

/** The declarations of a place without its files. */
export interface DeclaredFacts {
  readonly title: string | null;
  readonly description: SubmissionDescription | null;
  readonly algorithms: readonly Algorithm[];
  readonly isBag: boolean;
  readonly oxum: { readonly bytes: number; readonly files: number } | null;
  readonly count: number;
}

/** Answers of a declaration thread, by the kind of request. */
export interface DeclarationAnswers {
  begin: null;
  open: boolean;
  write: boolean;
  end: boolean;
  refuse: null;
  conclude: DeclaredFacts;
  compare: null;
  searchMissing: boolean;
  match: null;
  /** `compared`: existing files with a checksum. `counts`: all problems by code, including those that are not named. */
  finish: {
    readonly missing: number;
    readonly compared: number;
    readonly counts: readonly (readonly [ProblemCode, number])[];
  };
  problems: readonly Problem[];
  /** In the order of the paths. */
  checksums: readonly Checksums[];
}

export type RequestKind = keyof DeclarationRequests;

/** One request as it crosses to the thread. */
export type DeclarationRequest = {
  [Kind in RequestKind]: { readonly kind: Kind } & DeclarationRequests[Kind];
}[RequestKind];
