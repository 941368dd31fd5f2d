import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Commit } from '../storage/commit.js';
import type { Storage } from '../storage/storage.js';
import {
  importKinds,
  importStates,
  noProgress,
  type ImportError,
  type ImportProgress,
  type ImportRecord,
  type ImportResult,
  type ImportState,
} from './import-record.js';

/** The id of an import beside what it is about. */
export class ImportReference {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: ['active', 'finished', 'rejected', 'failed', 'cancelled', 'withdrawn'] })
  state!: string;
}

class ProgressResponse implements ImportProgress {
  @ApiProperty({
    enum: ['queued', 'planning', 'copying', 'checking', 'publishing', 'verifying', 'withdrawing', 'ended'],
  })
  phase!: ImportProgress['phase'];

  @ApiProperty()
  files_done!: number;

  @ApiProperty({ type: Number, nullable: true })
  files_total!: number | null;

  @ApiProperty()
  bytes_done!: number;

  @ApiProperty({ type: Number, nullable: true })
  bytes_total!: number | null;

  @ApiProperty({ description: 'Bytes that an earlier attempt had copied already.' })
  bytes_resumed!: number;

  @ApiProperty({ type: Number, nullable: true })
  bytes_per_second!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  seconds_left!: number | null;

  @ApiProperty({ type: [String] })
  current!: readonly string[];
}

class ResultResponse implements ImportResult {
  @ApiProperty({ example: 'data/raw/DS-001/' })
  path!: string;

  @ApiProperty()
  files!: number;

  @ApiProperty()
  bytes!: number;

  @ApiProperty({ description: 'SHA-256 of the stored `manifest-sha256.txt`.' })
  manifest_sha256!: string;
}

class ErrorResponse implements ImportError {
  @ApiProperty({ type: String, example: 'checksum.mismatch' })
  code!: ImportError['code'];

  @ApiProperty()
  message!: string;

  @ApiProperty({ type: String, nullable: true })
  file!: string | null;
}

class LinksResponse {
  @ApiProperty()
  self!: string;

  @ApiProperty()
  events!: string;

  @ApiProperty()
  files!: string;
}

/** One run of bringing a dataset or a submission in, of checking one that is in, or of taking it out of sight. */
export class ImportResponse {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: importKinds })
  kind!: string;

  @ApiProperty({ description: "The dataset's id or the submission's reference." })
  subject!: string;

  @ApiProperty({ enum: importStates })
  state!: ImportState;

  @ApiProperty()
  attempt!: number;

  @ApiProperty()
  requested_by!: string;

  @ApiProperty({ format: 'date-time' })
  requested_at!: string;

  @ApiPropertyOptional({ description: 'Why a dataset is withdrawn; only there.' })
  reason?: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  started_at!: string | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  finished_at!: string | null;

  @ApiProperty({ type: ProgressResponse })
  progress!: ProgressResponse;

  @ApiProperty({ type: ResultResponse, nullable: true })
  result!: ResultResponse | null;

  @ApiProperty({ type: ErrorResponse, nullable: true })
  error!: ErrorResponse | null;

  @ApiProperty({ type: LinksResponse })
  links!: LinksResponse;
}

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

function linksOf(id: string): LinksResponse {
  return { self: `/imports/${id}`, events: `/imports/${id}/events`, files: `/imports/${id}/files` };
}
