import { ApiProperty } from '@nestjs/swagger';
import type { Snapshot } from '../inventory/inventory.js';
import { isIdentifier } from '../source/identifier.js';
import { keyOfPlace, type ScannedPlace } from '../source/source-scan.js';
import type { SourcePlace } from '../source/source-system.js';
import { ImportReference } from '../imports/import.response.js';

export const datasetStates = ['not_imported', 'importing', 'imported', 'differs', 'failed', 'rejected'] as const;
export type DatasetState = (typeof datasetStates)[number];

/** A dataset of the source, and what storage holds of it. */
export class DatasetResponse {
  @ApiProperty({ example: 'DS-001' })
  id!: string;

  @ApiProperty({ description: 'Reference of the submission it was delivered in.' })
  submission!: string;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Null before the first scan.' })
  files!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Null before the first scan.' })
  bytes!: number | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  modified_at!: string | null;

  @ApiProperty({ description: 'Whether the delivery is complete.' })
  ready!: boolean;

  @ApiProperty({ type: [String], example: ['md5'] })
  declared_checksums!: string[];

  @ApiProperty({ enum: datasetStates })
  state!: DatasetState;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  imported_at!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'data/raw/DS-001/' })
  path!: string | null;

  @ApiProperty({ type: [String], description: 'Codes of what stands in the way of an import.' })
  problems!: string[];

  @ApiProperty({ type: ImportReference, nullable: true, description: 'The running, else the latest import.' })
  import!: ImportReference | null;
}

/** Builds the answer for one dataset from both sides. */
export function toDatasetResponse(place: SourcePlace, snapshot: Snapshot): DatasetResponse {
  const { scan, stored, isReady } = snapshot;
  const scanned = scan.places.get(keyOfPlace(place));
  const commit = stored.dataset.commits.get(place.id);
  const modifiedAt = scanned?.survey.modifiedAt;
  return {
    id: place.id,
    submission: place.submission,
    title: scanned?.survey.declarations.title ?? null,
    files: scanned?.survey.files ?? null,
    bytes: scanned?.survey.bytes ?? null,
    modified_at: modifiedAt == null ? null : new Date(modifiedAt).toISOString(),
    ready: scanned !== undefined && isReady(scanned),
    declared_checksums: scanned?.survey.declarations.algorithms() ?? [],
    state: stateOf(place, snapshot, scanned),
    imported_at: commit?.imported_at ?? null,
    path: commit ? `data/raw/${place.id}/` : null,
    problems: problemsOf(place, snapshot, scanned),
    import: importOf(place, snapshot),
  };
}

function stateOf(place: SourcePlace, { stored }: Snapshot, scanned: ScannedPlace | undefined): DatasetState {
  const { commits, open, failures } = stored.dataset;
  const commit = commits.get(place.id);
  if (commit) {
    const differs = scanned && commit.source.submission === place.submission;
    return differs && scanned.survey.fingerprint !== commit.source.fingerprint ? 'differs' : 'imported';
  }
  if (open.has(place.id)) return 'importing';
  const failure = failures.get(place.id);
  if (failure?.state === 'failed') return 'failed';
  const isStillRejected =
    failure?.state === 'rejected' && (!scanned || failure.fingerprint === scanned.survey.fingerprint);
  return isStillRejected ? 'rejected' : 'not_imported';
}

function problemsOf(place: SourcePlace, { listing }: Snapshot, scanned: ScannedPlace | undefined): string[] {
  return [
    ...(isIdentifier(place.id) && isIdentifier(place.submission) ? [] : ['id.invalid']),
    ...(listing.duplicates.has(place.id) ? ['id.duplicate'] : []),
    ...new Set(scanned?.survey.problems.map(({ code }) => code)),
  ];
}

function importOf({ id }: SourcePlace, { stored }: Snapshot): ImportReference | null {
  const { commits, open, failures } = stored.dataset;
  const request = open.get(id);
  if (request) return { id: request.id, state: 'active' };
  const commit = commits.get(id);
  if (commit) return { id: commit.import_id, state: 'finished' };
  const failure = failures.get(id);
  return failure ? { id: failure.id, state: failure.state } : null;
}
