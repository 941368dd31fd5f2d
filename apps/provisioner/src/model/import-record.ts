import type { SoftwareAgent } from '../process/software-agent.js';
import type { Integrity } from './integrity.js';
import type { Commit } from './commit.js';
import type { FailureCode, ProblemCounts } from './failure-code.js';
import type { ImportPlan } from './import-plan.js';
import type { SourceSight } from './source-sight.js';
import type { SpacePlan } from './space-plan.js';
import type { Subject, SubjectKind } from './identifier.js';

const runningStates = ['queued', 'running', 'waiting', 'cancelling'] as const;
export const endedStates = ['finished', 'rejected', 'failed', 'cancelled'] as const;
export const importStates = [...runningStates, ...endedStates] as const;

export type EndedState = (typeof endedStates)[number];
export type ImportState = (typeof importStates)[number];

/**
 * The operations on a subject, each of which is an import in the log: `dataset` and `submission` copy the subject,
 * `verify` reads an imported dataset again, `withdraw` hides an imported dataset, `purge` removes the files of a withdrawn
 * dataset, and `plan` inspects a delivery.
 */
export const importKinds = ['dataset', 'submission', 'verify', 'withdraw', 'purge', 'plan'] as const;
export type ImportKind = (typeof importKinds)[number];

/** Returns the kind of the subject of an import. Verifications, withdrawals and purges are about datasets. */
export function subjectKindOf({ kind, plans }: Pick<ImportRequest, 'kind' | 'plans'>): SubjectKind {
  return plans ?? (kind === 'submission' ? 'submission' : 'dataset');
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
  /** The delivery as the process that accepted the request has seen it. */
  readonly seen?: SourceSight;
  /** The reason of a withdrawal or a purge. */
  readonly reason?: string;
  /** The id of the import that published the withdrawn dataset. */
  readonly withdraws?: string;
  /** The import id of the withdrawal whose files are purged. */
  readonly purges?: string;
  /** The kind of the planned import. Only plans have this member. */
  readonly plans?: SubjectKind;
  /** The datasets that are planned together with their submission, by their ids. */
  readonly datasets?: 'all' | readonly string[];
  /** Whether withdrawn datasets are planned. Only plans have this member. */
  readonly reimport_of_withdrawn?: true;
}

export const importPhases = [
  'queued',
  'planning',
  'copying',
  'checking',
  'publishing',
  'verifying',
  'withdrawing',
  'purging',
  'ended',
] as const;
export type ImportPhase = (typeof importPhases)[number];

export interface ImportProgress {
  readonly phase: ImportPhase;
  readonly files_done: number;
  readonly files_total: number | null;
  readonly bytes_done: number;
  readonly bytes_total: number | null;
  /** Bytes that an earlier start copied, including parts of unfinished files. */
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
  /** When the first of the latest consecutive starts did not see the delivery, ISO 8601; absent if the last start did. */
  readonly unseen_since?: string;
  /** The maximum number of bytes that were durable after any start. */
  readonly kept_bytes: number;
  /** The plan in short; null before the planning. */
  readonly plan: ImportPlan | null;
}

/** The reason why an import did not finish. */
export interface ImportError {
  readonly code: FailureCode;
  readonly message: string;
  /** The first file with a problem of this code. */
  readonly file: string | null;
  /** The number of problems of each code. Absent if no file is affected, and in imports of earlier releases. */
  readonly counts?: ProblemCounts;
  /** The needed and the free space of an import that waits for space. */
  readonly space?: SpacePlan;
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
  /** The plan: complete for an import of the kind `plan`, else in short; null if the import ended before its planning. */
  readonly plan: ImportPlan | null;
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
export function isIrrevocable(phase: ImportPhase): boolean {
  return phase === 'publishing' || phase === 'withdrawing' || phase === 'purging';
}

/** Returns whether an import of a kind copies its subject, so that the subject may have staged files. */
export function isCopy(kind: ImportKind): kind is SubjectKind {
  return kind === 'dataset' || kind === 'submission';
}

/**
 * Returns whether an import of a kind removes data from the place where it is. Only a worker knows whether such an
 * import has taken a step that cannot be undone.
 */
export function isRemoval(kind: ImportKind): boolean {
  return kind === 'withdraw' || kind === 'purge';
}

const operations: Readonly<Record<ImportKind, string>> = {
  dataset: 'import',
  submission: 'import',
  verify: 'verification',
  withdraw: 'withdrawal',
  purge: 'purge',
  plan: 'plan',
};

/** Returns the noun for the operation of a kind, for messages. */
export function operationOf(kind: ImportKind): string {
  return operations[kind];
}
