import type { SoftwareAgent } from '../process/software-agent.js';
import type { FailureCode } from './failure.js';
import type { Subject, SubjectKind } from './identifier.js';

/** The states of an import that has not ended. */
const runningStates = ['queued', 'running', 'waiting', 'cancelling'] as const;

/** The states of an import that has ended. An ended import never changes its state. */
export const endedStates = ['finished', 'rejected', 'failed', 'cancelled'] as const;
export const importStates = [...runningStates, ...endedStates] as const;

export type EndedState = (typeof endedStates)[number];
export type ImportState = (typeof importStates)[number];

/** The kinds of import: the import of a dataset or of a submission, a verification, and a withdrawal. */
export const importKinds = ['dataset', 'submission', 'verify', 'withdraw'] as const;
export type ImportKind = (typeof importKinds)[number];

/**
 * A request for an import. It never changes during an attempt. A retry replaces it with a request for the next attempt.
 */
export interface ImportRequest {
  /** A ULID. The order of ids is the order of the requests. */
  readonly id: string;
  readonly kind: ImportKind;
  /** The dataset's id or the submission's reference. */
  readonly subject: string;
  /** 1 for the first attempt. Each retry by a caller adds one. */
  readonly attempt: number;
  /** The caller, e.g. `global key`. */
  readonly requested_by: string;
  readonly requested_at: string;
  /** The address of the caller. Personal data: it is stored only in the import log. */
  readonly requested_from: string;
  /** The software that accepted the request. */
  readonly accepted_by: SoftwareAgent;
  /** The earliest time at which the import may start. */
  readonly not_before?: string;
  /** The position among waiting imports. 1 is first. Imports without a priority run before imports with one. */
  readonly priority?: number;
  /** The reason for a withdrawal. */
  readonly reason?: string;
  /** The id of the import whose result is withdrawn. */
  readonly withdraws?: string;
}

/** The progress of an import. */
export interface ImportProgress {
  readonly phase: 'queued' | 'planning' | 'copying' | 'checking' | 'publishing' | 'verifying' | 'withdrawing' | 'ended';
  readonly files_done: number;
  readonly files_total: number | null;
  readonly bytes_done: number;
  readonly bytes_total: number | null;
  /** Bytes that an earlier start copied, including parts of a large file in a bucket. */
  readonly bytes_resumed: number;
  readonly bytes_per_second: number | null;
  readonly seconds_left: number | null;
  /** The paths of the files that are being copied. */
  readonly current: readonly string[];
}

/** The status of a running import, rewritten every second. Informational only: no result depends on it. */
export interface ImportStatus {
  readonly state: 'running' | 'waiting';
  readonly started_at: string;
  readonly updated_at: string;
  readonly progress: ImportProgress;
  /** The reason for waiting; null if the import does not wait. */
  readonly error: ImportError | null;
  /** The time of the next try; null if the import does not wait. */
  readonly next_try_at: string | null;
  /** The number of starts, by all workers. */
  readonly starts: number;
  /** The number of consecutive starts without progress: no file, and no new part of a large file, was completed. */
  readonly idle_starts: number;
  /** The number of consecutive tries that failed for a retryable reason without progress. */
  readonly tries: number;
  /** The maximum over all starts of the bytes that were complete at the end of the start. */
  readonly kept_bytes: number;
}

/** The error that prevented an import from finishing. */
export interface ImportError {
  readonly code: FailureCode;
  readonly message: string;
  /** The first affected file; null if no file is affected. */
  readonly file: string | null;
}

/** A file that could not be imported, or that differs from the imported file. */
export interface FileReport {
  readonly path: string;
  readonly state: 'failed';
  readonly code: FailureCode;
  readonly message: string;
}

/** The result of a finished import. */
export interface ImportResult {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly manifest_sha256: string;
}

/** The end of an attempt at an import, together with its request. This is a line of the import log, written once. */
export interface ImportEnding extends ImportRequest {
  readonly state: EndedState;
  readonly started_at: string | null;
  readonly finished_at: string;
  readonly progress: ImportProgress;
  readonly result: ImportResult | null;
  readonly error: ImportError | null;
  /** Every affected file. */
  readonly files: readonly FileReport[];
  /** The fingerprint of the source at a rejection. The import is not repeated until the fingerprint changes. */
  readonly fingerprint: string | null;
  /** The software that ended the import. */
  readonly agent: SoftwareAgent;
}

/** An import in the request log, open or ended. */
export type ImportRecord =
  | {
      readonly request: ImportRequest;
      readonly ending: ImportEnding;
      readonly status: null;
      readonly cancelling: false;
    }
  | {
      readonly request: ImportRequest;
      readonly ending: null;
      readonly status: ImportStatus | null;
      readonly cancelling: boolean;
    };

/** The progress of an import that has not started. */
export const noProgress: ImportProgress = {
  phase: 'queued',
  files_done: 0,
  files_total: null,
  bytes_done: 0,
  bytes_total: null,
  bytes_resumed: 0,
  bytes_per_second: null,
  seconds_left: null,
  current: [],
};

/** Whether an import in this phase can no longer be cancelled. */
export function isIrrevocable(phase: ImportProgress['phase']): boolean {
  return phase === 'publishing' || phase === 'withdrawing';
}
