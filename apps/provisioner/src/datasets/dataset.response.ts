import { ApiProperty } from '@nestjs/swagger';
import { isDuplicate, type Snapshot } from '../inventory/inventory.js';
import { ListResponse } from '../http/list.response.js';
import type { PlaceSummary } from '../source/place-summary.js';
import { hasIdentifiers } from '../source/source-index.js';
import type { SourcePlace } from '../model/source-system.js';
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

  @ApiProperty({ type: [String], description: 'Codes of what is reported and does not stand in the way of an import.' })
  warnings!: string[];

  @ApiProperty({ type: ImportReference, nullable: true, description: 'The running, else the latest import.' })
  import!: ImportReference | null;
}

/** A list of datasets; the header `Link` says where the next page is. */
export class DatasetListResponse extends ListResponse {
  @ApiProperty({ type: [DatasetResponse] })
  items!: DatasetResponse[];
}

/** Builds the answer for one dataset from both sides. */
export function toDatasetResponse(place: SourcePlace, snapshot: Snapshot): DatasetResponse {
  const seen = snapshot.summaryOf(place);
  const commit = snapshot.stored.dataset.commits.get(place.id);
  const modifiedAt = seen?.modifiedAt;
  return {
    id: place.id,
    submission: place.submission,
    title: seen?.title ?? null,
    files: seen?.files ?? null,
    bytes: seen?.bytes ?? null,
    modified_at: modifiedAt == null ? null : new Date(modifiedAt).toISOString(),
    ready: isReady(seen, snapshot),
    declared_checksums: [...(seen?.checksums ?? [])],
    state: stateOfDataset(place, snapshot, seen),
    imported_at: commit?.imported_at ?? null,
    path: commit ? `data/raw/${place.id}/` : null,
    problems: problemsOf(place, snapshot, seen),
    warnings: [...(seen?.warnings ?? [])],
    import: importOf(place, snapshot),
  };
}

/** Whether what was seen of a place is complete. */
export function isReady(seen: PlaceSummary | undefined, { takenAt }: Snapshot): boolean {
  return seen !== undefined && seen.readyFrom <= takenAt;
}

/** How a dataset of the source stands in storage. */
export function stateOfDataset(
  place: SourcePlace,
  snapshot: Snapshot,
  seen: PlaceSummary | undefined = snapshot.summaryOf(place),
): DatasetState {
  const { commits, open, failures } = snapshot.stored.dataset;
  const commit = commits.get(place.id);
  if (commit) {
    const differs = seen && commit.submission === place.submission && seen.fingerprint !== commit.fingerprint;
    return differs ? 'differs' : 'imported';
  }
  if (open.get(place.id)?.kind === 'dataset') return 'importing';
  const failure = failures.get(place.id);
  if (failure?.state === 'failed') return 'failed';
  const isStillRejected = failure?.state === 'rejected' && (!seen || failure.fingerprint === seen.rejectionKey);
  return isStillRejected ? 'rejected' : 'not_imported';
}

function problemsOf(place: SourcePlace, snapshot: Snapshot, seen: PlaceSummary | undefined): string[] {
  return [
    ...(hasIdentifiers(place) ? [] : ['id.invalid']),
    ...(isDuplicate(place, snapshot.listing, snapshot.stored.dataset) ? ['id.duplicate'] : []),
    ...(seen?.problems ?? []),
  ];
}

function importOf({ id }: SourcePlace, { stored }: Snapshot): ImportReference | null {
  const { commits, open, failures } = stored.dataset;
  const request = open.get(id);
  if (request?.kind === 'dataset') return { id: request.id, state: 'active' };
  const commit = commits.get(id);
  const failure = failures.get(id);
  if (commit && commit.import_id !== failure?.id) return { id: commit.import_id, state: 'finished' };
  const isWithdrawn = failure?.kind === 'withdraw' && failure.state === 'finished';
  return failure ? { id: failure.id, state: isWithdrawn ? 'withdrawn' : failure.state } : null;
}
