import { ApiProperty } from '@nestjs/swagger';
import { holders, type HeldIn } from '../inventory/held-places.js';
import { isDuplicate, type Snapshot } from '../inventory/inventory.js';
import { ListResponse } from '../http/list.response.js';
import { hasChangedSince, type PlaceSummary } from '../model/place-summary.js';
import { isRejectedAs } from '../model/request-log.js';
import { hasIdentifiers } from '../source/source-index.js';
import type { SourcePlace } from '../model/source-system.js';
import { ImportReference, IntegrityResponse } from '../imports/import.response.js';

export const datasetStates = ['not_imported', 'importing', 'imported', 'differs', 'failed', 'rejected'] as const;
export type DatasetState = (typeof datasetStates)[number];

/** A dataset of the source or the storage, and its state. */
export class DatasetResponse {
  @ApiProperty({ example: 'DS-001' })
  id!: string;

  @ApiProperty({ description: 'Reference of the submission that contains the dataset.' })
  submission!: string;

  @ApiProperty({
    type: String,
    enum: holders,
    nullable: true,
    description:
      'Systems that contain the dataset. The storage contains it if it is imported. Null if the dataset was withdrawn and the source no longer contains it; lists omit such a dataset.',
  })
  held_in!: HeldIn | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Title in the metadata of the delivery; null if it has none.',
  })
  title!: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      'Number of files in the source, or in the storage if only it has the dataset; null before the first scan.',
  })
  files!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Total size of the files; null before the first scan.' })
  bytes!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description:
      'Time of the latest change in the source; null before the first scan, and if only the storage has the dataset.',
  })
  modified_at!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description:
      'Start of the latest walk of the delivery, which found the members from `title` to `declared_checksums`, `problems`, `warnings` and the state `differs`; null before the first scan.',
  })
  scanned_at!: string | null;

  @ApiProperty({ description: 'Whether the delivery is complete; true if only the storage has the dataset.' })
  ready!: boolean;

  @ApiProperty({
    type: [String],
    example: ['md5'],
    description: 'Algorithms of the checksums that the delivery declares.',
  })
  declared_checksums!: string[];

  @ApiProperty({
    enum: datasetStates,
    description:
      '`differs`: imported, and changed in the source after the import. `rejected`: the delivery has problems and has not changed since.',
  })
  state!: DatasetState;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Time of the import; null if not imported.',
  })
  imported_at!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'data/raw/DS-001/',
    description: 'Path of the dataset in storage; null if not imported.',
  })
  path!: string | null;

  @ApiProperty({
    type: IntegrityResponse,
    nullable: true,
    description:
      'The comparison with the declared checksums at the import; null if not imported, or imported by an earlier release.',
  })
  integrity!: IntegrityResponse | null;

  @ApiProperty({ type: [String], description: 'Codes of the problems that prevent an import.' })
  problems!: string[];

  @ApiProperty({ type: [String], description: 'Codes of the problems that do not prevent an import.' })
  warnings!: string[];

  @ApiProperty({
    type: ImportReference,
    nullable: true,
    description: 'The running import, or else the latest one; null if there is none.',
  })
  import!: ImportReference | null;
}

/** A list of datasets. The header `Link` contains the address of the next page. */
export class DatasetListResponse extends ListResponse {
  @ApiProperty({ type: [DatasetResponse] })
  items!: DatasetResponse[];
}

/** Returns the response for a dataset from the state of the source and the storage. */
export function toDatasetResponse(place: SourcePlace, snapshot: Snapshot): DatasetResponse {
  const summary = snapshot.summaryOf(place);
  const commit = snapshot.stored.dataset.commits.get(place.id);
  const modifiedAt = summary?.modifiedAt;
  const heldIn = snapshot.held.holderOf(place);
  // An imported dataset is walked rarely, so its commit record may be all that is known.
  const totals = heldIn === 'storage' ? commit : (summary ?? commit);
  return {
    id: place.id,
    submission: place.submission,
    held_in: heldIn,
    title: summary?.title ?? null,
    files: totals?.files ?? null,
    bytes: totals?.bytes ?? null,
    modified_at: modifiedAt == null ? null : new Date(modifiedAt).toISOString(),
    scanned_at: summary?.scannedAt ?? null,
    ready: totals === commit ? commit !== undefined : isReady(summary, snapshot),
    declared_checksums: [...(summary?.checksums ?? [])],
    state: stateOfDataset(place, snapshot, summary),
    imported_at: commit?.imported_at ?? null,
    path: commit ? `data/raw/${place.id}/` : null,
    integrity: commit?.integrity ?? null,
    problems: problemsOf(place, snapshot, summary),
    warnings: [...(summary?.warnings ?? [])],
    import: importOf(place, snapshot),
  };
}

/** Whether the scanned delivery of a place is complete. */
export function isReady(summary: PlaceSummary | undefined, { takenAt }: Snapshot): boolean {
  return summary !== undefined && summary.readyFrom <= takenAt;
}

/** Returns the state in storage of a dataset of the source. */
export function stateOfDataset(
  place: SourcePlace,
  snapshot: Snapshot,
  summary: PlaceSummary | undefined = snapshot.summaryOf(place),
): DatasetState {
  const { commits, open, failures } = snapshot.stored.dataset;
  const commit = commits.get(place.id);
  if (commit) {
    return commit.submission === place.submission && hasChangedSince(commit, summary) ? 'differs' : 'imported';
  }
  if (open.get(place.id)?.kind === 'dataset') return 'importing';
  const failure = failures.get(place.id);
  if (failure?.state === 'failed') return 'failed';
  const isStillRejected = isRejectedAs(failure, summary?.rejectionKey ?? failure?.fingerprint ?? '');
  return isStillRejected ? 'rejected' : 'not_imported';
}

function problemsOf(place: SourcePlace, snapshot: Snapshot, summary: PlaceSummary | undefined): string[] {
  return [
    ...(hasIdentifiers(place) ? [] : ['id.invalid']),
    ...(isDuplicate(place, snapshot.listing, snapshot.stored.dataset) ? ['id.duplicate'] : []),
    ...(summary?.problems ?? []),
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
