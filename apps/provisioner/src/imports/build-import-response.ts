import type { Commit } from '../model/commit.js';
import type { Subject } from '../model/identifier.js';
import type { Storage } from '../model/storage.js';
import {
  noProgress,
  resultOf,
  type ImportEnding,
  type ImportRecord,
  type ImportState,
} from '../model/import-record.js';
import type { ImportResponse } from './import.response.js';

/**
 * Builds the response of an import.
 *
 * @param base the setting `BASE_PATH`, the prefix of the links
 */
export function toImportResponse(record: ImportRecord, base = ''): ImportResponse {
  const { request, ending, status } = record;
  return {
    id: request.id,
    kind: request.kind,
    ...(request.plans && { plans: request.plans }),
    subject: request.subject.id,
    state: stateOf(record),
    attempt: request.attempt,
    requested_by: request.requested_by,
    requested_at: request.requested_at,
    ...(request.reason !== undefined && { reason: request.reason }),
    started_at: ending?.started_at ?? status?.started_at ?? null,
    finished_at: ending?.finished_at ?? null,
    progress: { ...(ending?.progress ?? status?.progress ?? noProgress) },
    result: ending?.result ?? null,
    error: ending?.error ?? status?.error ?? null,
    plan: ending?.plan ?? status?.plan ?? null,
    links: linksOf(`${base}/imports/${request.id}`, ending?.state === 'rejected'),
  };
}

/**
 * Restores the import of a commit after the import was removed from the log. The address of its caller is not restored.
 */
export function recordOfCommit(commit: Commit, storage: Storage): ImportRecord {
  const { kind, id, attempt, requested_by, requested_at, started_at, imported_at, agent } = commit;
  const { files, bytes } = commit.content;
  const subject: Subject = { kind, id };
  const request = { id: commit.import_id, kind, subject, attempt, requested_by, requested_at, accepted_by: agent };
  const copied = { files_done: files, files_total: files, bytes_done: bytes, bytes_total: bytes };
  const ending: ImportEnding = {
    ...request,
    requested_from: '',
    state: 'finished',
    started_at,
    finished_at: imported_at,
    progress: { ...noProgress, ...copied, phase: 'ended' },
    result: resultOf(commit, storage.pathOf(subject)),
    error: null,
    files: [],
    plan: null,
    fingerprint: null,
    agent,
  };
  return { request: ending, ending, status: null, cancelling: false };
}

function stateOf({ ending, status, cancelling }: ImportRecord): ImportState {
  if (ending) return ending.state;
  if (cancelling) return 'cancelling';
  return status?.state ?? 'queued';
}

function linksOf(self: string, isRejected: boolean): ImportResponse['links'] {
  return { self, events: `${self}/events`, files: `${self}/files`, report: isRejected ? `${self}/report` : null };
}
