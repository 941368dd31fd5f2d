import type { Commit } from '../storage/commit.js';
import type { Storage } from '../storage/storage.js';
import { noProgress, type ImportRecord, type ImportState } from './import-record.js';
import type { ImportResponse } from './import.response.js';

/** Builds the answer for one import. */
export function toImportResponse(record: ImportRecord): ImportResponse {
  const { request, ending, status } = record;
  return {
    id: request.id,
    kind: request.kind,
    subject: request.subject,
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
    links: linksOf(request.id),
  };
}

/** The import that made a commit, when the history of it is gone. */
export function importOfCommit(commit: Commit, storage: Storage): ImportResponse {
  const { files, bytes, manifest_sha256 } = commit.content;
  return {
    id: commit.import_id,
    kind: commit.kind,
    subject: commit.id,
    state: 'finished',
    attempt: commit.attempt,
    requested_by: commit.requested_by,
    requested_at: commit.requested_at,
    started_at: commit.started_at,
    finished_at: commit.imported_at,
    progress: {
      ...noProgress,
      phase: 'ended',
      files_done: files,
      files_total: files,
      bytes_done: bytes,
      bytes_total: bytes,
    },
    result: { path: storage.pathOf({ kind: commit.kind, id: commit.id }), files, bytes, manifest_sha256 },
    error: null,
    links: linksOf(commit.import_id),
  };
}

function stateOf({ ending, status, cancelling }: ImportRecord): ImportState {
  if (ending) return ending.state;
  if (cancelling) return 'cancelling';
  return status?.state ?? 'queued';
}

function linksOf(id: string): ImportResponse['links'] {
  return { self: `/imports/${id}`, events: `/imports/${id}/events`, files: `/imports/${id}/files` };
}
