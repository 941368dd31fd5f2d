import type { Problem, ProblemCode } from '../../model/problem.js';
import type { SubmissionDescription } from '../../model/source-system.js';
import type { Algorithm } from './algorithms.js';
import type { Checksums } from './declared-files.js';

/** Requests to a declaration thread. They belong to one place at a time, and each is answered before the next is sent. */
export interface DeclarationRequests {
  /** Forgets the former place. `maxBytes`: memory that the declared files may take. */
  begin: { readonly maxBytes: number };
  /** Begins a descriptor. */
  open: { readonly name: string };
  /** Continues the descriptor. Answers whether more of it is wanted. */
  write: { readonly bytes: Uint8Array };
  /** Ends the descriptor. Answers whether all of it could be used. */
  end: object;
  /** Adds a problem that was found outside the thread. */
  refuse: { readonly problem: Problem };
  /** Ends the descriptors. `bag`: names of the readable descriptors of a bag; null if there is no bag. */
  conclude: { readonly bag: readonly string[] | null };
  /** Compares files that exist with those that are declared. */
  compare: { readonly paths: readonly string[]; readonly sizes: readonly number[] };
  /** Ends the comparison: declared files that no `compare` named are missing. */
  finish: object;
  /** Answers the next named problems. An empty page is the last. */
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
  open: null;
  write: boolean;
  end: boolean;
  refuse: null;
  conclude: DeclaredFacts;
  compare: null;
  /** `counts`: problems by code, whether named or not. */
  finish: { readonly missing: number; readonly counts: readonly (readonly [ProblemCode, number])[] };
  problems: readonly Problem[];
  /** In the order of the paths. */
  checksums: readonly Checksums[];
}

export type RequestKind = keyof DeclarationRequests;

/** One request as it crosses to the thread. */
export type DeclarationRequest = {
  [Kind in RequestKind]: { readonly kind: Kind } & DeclarationRequests[Kind];
}[RequestKind];
