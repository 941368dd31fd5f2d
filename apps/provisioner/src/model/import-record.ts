import type { SoftwareAgent } from '../process/software-agent.js';
import type { Integrity } from './integrity.js';
import type { Commit } from './commit.js';
import type { FailureCode, ProblemCounts } from './failure.js';
import type { Subject, SubjectKind } from './identifier.js';

const runningStates = ['queued', 'running', 'waiting', 'cancelling'] as const;
export const endedStates = ['finished', 'rejected', 'failed', 'cancelled'] as const;
export const importStates = [...runningStates, ...endedStates] as const;

export type EndedState = (typeof endedStates)[number];
export type ImportState = (typeof importStates)[number];

/**
 * The operations on a subject, each of which is an import in the log: `dataset` and `submission` copy the subject,
 * `verify` reads an imported dataset again, and `withdraw` hides an imported dataset.
 */
export const importKinds = ['dataset', 'submission', 'verify', 'withdraw'] as const;
export type ImportKind = (typeof importKinds)[number];

/** Returns the kind of the subject of an import. Verifications and withdrawals are about datasets. */
export function subjectKindOf(kind: ImportKind): SubjectKind {
  return kind === 'submission' ? 'submission' : 'dataset';
}

/** A request for one attempt at an import. The request of an attempt never changes; a retry has a new request. */
export interface ImportRequest {
  /** A ULID, so that ids sort by the time of the first request. */
  readonly id: string;
  readonly kind: ImportKind;
  readonly subject: Subject;
  /** The number of the attempt, from 1. Each retry that a caller requests adds 1. */
  readonly attempt: number;
  /** The name of the caller, such as `global key`. */
  readonly requested_by: string;
  readonly requested_at: string;
  /** The address of the caller. It is personal data, which only the import log contains. */
  readonly requested_from: string;
  /** The software that accepted the request. */
  readonly accepted_by: SoftwareAgent;
  /** The earliest start, ISO 8601. */
  readonly not_before?: string;
  /** A lower number runs earlier. Requests without a priority run first. */
  readonly priority?: number;
  /** The reason of a withdrawal. */
  readonly reason?: string;
  /** The id of the import that published the withdrawn dataset. */
  readonly withdraws?: string;
}

export interface ImportProgress {
  readonly phase: 'queued' | 'planning' | 'copying' | 'checking' | 'publishing' | 'verifying' | 'withdrawing' | 'ended';
  readonly files_done: number;
  readonly files_total: number | null;
  readonly bytes_done: number;
  readonly bytes_total: number | null;
  /** Bytes that an earlier start copied, including parts of unfinished files in a bucket. */
  readonly bytes_resumed: number;
  readonly bytes_per_second: number | null;
  readonly seconds_left: number | null;
  /** Paths of files that are being copied. */
  readonly current: readonly string[];
}

/** The latest report of a running import. It is rewritten every second and may be lost. */
export interface ImportStatus {
  readonly state: 'running' | 'waiting';
  readonly started_at: string;
  readonly updated_at: string;
  readonly progress: ImportProgress;
  /** The reason why a waiting import waits. */
  readonly error: ImportError | null;
  /** When a waiting import is tried again, ISO 8601. */
  readonly next_try_at: string | null;
  /** The number of starts by any worker. */
  readonly starts: number;
  /** Consecutive starts without progress: no start finished a file or found a part that earlier starts had not sent. */
  readonly idle_starts: number;
  /** Consecutive failures without progress. */
  readonly tries: number;
  /** The maximum number of bytes that were durable after any start. */
  readonly kept_bytes: number;
}

/** The reason why an import did not finish. */
export interface ImportError {
  readonly code: FailureCode;
  readonly message: string;
  /** The first file with a problem of this code. */
  readonly file: string | null;
  /** The number of problems of each code. Absent if no file is affected, and in imports of earlier releases. */
  readonly counts?: ProblemCounts;
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
  /** Null if an earlier release published the commit. */
  readonly integrity: Integrity | null;
}

/** Returns the result of the import that published a commit. @param path the path of the subject in storage */
export function resultOf({ content, integrity }: Commit, path: string): ImportResult {
  const { files, bytes, manifest_sha256 } = content;
  return { path, files, bytes, manifest_sha256, integrity: integrity ?? null };
}

/** The delivery of an import, in the state that the import found. */
export interface Delivery {
  readonly submission: string;
  readonly fingerprint: string;
  readonly files: number;
  readonly bytes: number;
}

/** The end of one attempt at an import, together with its request. The import log stores it once. */
export interface ImportEnding extends ImportRequest {
  readonly state: EndedState;
  readonly started_at: string | null;
  readonly finished_at: string;
  readonly progress: ImportProgress;
  readonly result: ImportResult | null;
  readonly error: ImportError | null;
  /** Every affected file. */
  readonly files: readonly FileReport[];
  /** The fingerprint of a rejected delivery. The subject is imported again only if the fingerprint changes. */
  readonly fingerprint: string | null;
  /** The rejected delivery. Absent in other imports, in imports of earlier releases, and if no delivery was found. */
  readonly delivery?: Delivery;
  /** The software that ended the attempt. */
  readonly agent: SoftwareAgent;
}

/** An import as the log stores it: ended, or open with its latest status. */
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

/** Returns whether an import in a phase can no longer be cancelled. */
export function isIrrevocable(phase: ImportProgress['phase']): boolean {
  return phase === 'publishing' || phase === 'withdrawing';
}
