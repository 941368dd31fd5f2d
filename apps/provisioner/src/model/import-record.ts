import type { SoftwareAgent } from '../process/software-agent.js';
import type { FailureCode } from './failure.js';

/** States from which an import still moves, and those in which it has ended. */
const runningStates = ['queued', 'running', 'waiting', 'cancelling'] as const;
export const endedStates = ['finished', 'rejected', 'failed', 'cancelled'] as const;
export const importStates = [...runningStates, ...endedStates] as const;

export type EndedState = (typeof endedStates)[number];
export type ImportState = (typeof importStates)[number];

/** What an import does with its subject: brings it in, reads it again, or takes a dataset out of sight. */
export const importKinds = ['dataset', 'submission', 'verify', 'withdraw'] as const;
export type ImportKind = (typeof importKinds)[number];

/** What was asked for. Never changes during an attempt; a retry replaces it with the next attempt's. */
export interface ImportRequest {
  /** A ULID: ids sort by the time they were asked for. */
  readonly id: string;
  readonly kind: ImportKind;
  /** The dataset's id or the submission's reference. */
  readonly subject: string;
  /** 1 at first; each retry by a person adds one. */
  readonly attempt: number;
  /** Who asked, e.g. `global key`. */
  readonly requested_by: string;
  readonly requested_at: string;
  /** The address the request came from: personal data, which is kept in the import log and nowhere else. */
  readonly requested_from: string;
  /** Which software took the request. */
  readonly accepted_by: SoftwareAgent;
  /** Not before this instant. */
  readonly not_before?: string;
  /** 1 first; without one before all that have one. */
  readonly priority?: number;
  /** Why a dataset is withdrawn. */
  readonly reason?: string;
  /** The id of the import that made what is withdrawn. */
  readonly withdraws?: string;
}

/** How far an import is. */
export interface ImportProgress {
  readonly phase: 'queued' | 'planning' | 'copying' | 'checking' | 'publishing' | 'verifying' | 'withdrawing' | 'ended';
  readonly files_done: number;
  readonly files_total: number | null;
  readonly bytes_done: number;
  readonly bytes_total: number | null;
  /** Bytes that an earlier start had copied already, parts of a large file in a bucket among them. */
  readonly bytes_resumed: number;
  readonly bytes_per_second: number | null;
  readonly seconds_left: number | null;
  /** Files being copied now. */
  readonly current: readonly string[];
}

/** What is known of a running import beyond its request; rewritten every second and never the truth. */
export interface ImportStatus {
  readonly state: 'running' | 'waiting';
  readonly started_at: string;
  readonly updated_at: string;
  readonly progress: ImportProgress;
  /** Why it waits, when it does. */
  readonly error: ImportError | null;
  /** When a waiting one is tried again. */
  readonly next_try_at: string | null;
  /** How often it was started, by any worker. */
  readonly starts: number;
  /** Starts in a row that kept nothing new: no file was finished, nor a part of one found that earlier ones had not. */
  readonly idle_starts: number;
  /** Tries in a row that ended with a failure of ours and kept nothing new. */
  readonly tries: number;
  /** The most bytes that any start has kept or found kept. */
  readonly kept_bytes: number;
}

/** Why an import did not finish. */
export interface ImportError {
  readonly code: FailureCode;
  readonly message: string;
  /** The first file concerned. */
  readonly file: string | null;
}

/** One file that could not be imported, or is not as it was imported. */
export interface FileReport {
  readonly path: string;
  readonly state: 'failed';
  readonly code: FailureCode;
  readonly message: string;
}

/** What a finished import made. */
export interface ImportResult {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly manifest_sha256: string;
}

/** How an attempt at an import ended; with its request this is a line of the import log, written once. */
export interface ImportEnding extends ImportRequest {
  readonly state: EndedState;
  readonly started_at: string | null;
  readonly finished_at: string;
  readonly progress: ImportProgress;
  readonly result: ImportResult | null;
  readonly error: ImportError | null;
  /** Every file concerned. */
  readonly files: readonly FileReport[];
  /** The source's fingerprint when it was rejected; it is not tried again until that changes. */
  readonly fingerprint: string | null;
  /** Which software ended it. */
  readonly agent: SoftwareAgent;
}

/** An import as the log knows it. */
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

/** Before anything is known. */
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

/** Whether an import has come so far that it cannot be cancelled any more. */
export function isIrrevocable(phase: ImportProgress['phase']): boolean {
  return phase === 'publishing' || phase === 'withdrawing';
}
