import { ApiProperty } from '@nestjs/swagger';
import { ImportReference } from '../imports/import.response.js';
import { holders, type HeldIn } from '../inventory/held-places.js';
import { isDuplicate, type Snapshot } from '../inventory/inventory.js';
import { ListResponse } from '../http/list.response.js';
import { isIdentifier } from '../model/identifier.js';
import { collectionOf } from '../source/source-index.js';
import type { ListedSubmission, SourcePlace } from '../model/source-system.js';
import { isReady, toDatasetResponse, type DatasetResponse } from '../datasets/dataset.response.js';

export const submissionStates = ['not_imported', 'importing', 'partly_imported', 'imported', 'failed'] as const;
export type SubmissionState = (typeof submissionStates)[number];

/** The numbers of datasets of a submission. */
class DatasetCounts {
  @ApiProperty({ description: 'Number of datasets of the submission in the source or the storage.' })
  total!: number;

  @ApiProperty({ description: 'Number of imported datasets of the submission.' })
  imported!: number;
}

/** A submission of the source or the storage, and its state. */
export class SubmissionResponse {
  @ApiProperty({ example: 'SUB-2026-001' })
  reference!: string;

  @ApiProperty({
    enum: holders,
    description: 'Systems that contain the submission. The storage contains it if its collection is imported.',
  })
  held_in!: HeldIn;

  @ApiProperty({ type: String, nullable: true })
  title!: string | null;

  @ApiProperty({ type: String, nullable: true })
  submitter!: string | null;

  @ApiProperty({ type: String, nullable: true })
  submitted_at!: string | null;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  @ApiProperty({ type: DatasetCounts })
  datasets!: DatasetCounts;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Number of files of the documents and datasets; null before the first scan.',
  })
  files!: number | null;

  @ApiProperty({ type: Number, nullable: true, description: 'Total size of the files; null before the first scan.' })
  bytes!: number | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  modified_at!: string | null;

  @ApiProperty({
    description:
      'Whether the deliveries of the documents and of every dataset are complete; true if only the storage has the submission.',
  })
  ready!: boolean;

  @ApiProperty({
    enum: submissionStates,
    description: '`partly_imported`: the collection is imported, but not every dataset of the submission.',
  })
  state!: SubmissionState;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  imported_at!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'data/projects/SUB-2026-001/',
    description: 'Path of the project collection in storage; null if not imported.',
  })
  collection!: string | null;

  @ApiProperty({ type: [String], description: 'Ids of the datasets that are not imported.' })
  missing_datasets!: string[];

  @ApiProperty({ type: [String], description: 'Codes of the problems that prevent an import.' })
  problems!: string[];

  @ApiProperty({ type: [String], description: 'Codes of the problems that do not prevent an import.' })
  warnings!: string[];

  @ApiProperty({
    type: ImportReference,
    nullable: true,
    description: 'The running import of the collection, or else the latest one; null if there is none.',
  })
  import!: ImportReference | null;
}

/** A list of submissions. The header `Link` contains the address of the next page. */
export class SubmissionListResponse extends ListResponse {
  @ApiProperty({ type: [SubmissionResponse] })
  items!: SubmissionResponse[];
}

/** Returns the response for a submission from the state of the source and the storage. */
export function toSubmissionResponse(submission: ListedSubmission, snapshot: Snapshot): SubmissionResponse {
  const { reference } = submission;
  const place = collectionOf(submission);
  const documents = snapshot.summaryOf(place);
  const about = snapshot.descriptionOf(reference);
  const commit = snapshot.stored.submission.commits.get(reference);
  const heldIn = snapshot.held.holderOf(place) ?? 'source';
  // An imported collection is walked rarely, so its commit record may be all that is known.
  const totals = heldIn === 'storage' ? commit : (documents ?? commit);
  const isComplete = totals === commit ? commit !== undefined : isReady(documents, snapshot);
  const datasets = submission.datasets.map((id) =>
    toDatasetResponse({ kind: 'dataset', submission: reference, id }, snapshot),
  );
  const missing = datasets.filter(({ imported_at }) => imported_at === null).map(({ id }) => id);
  return {
    reference,
    held_in: heldIn,
    title: about?.title ?? null,
    submitter: about?.submitter ?? null,
    submitted_at: about?.submitted_at ?? null,
    description: about?.description ?? null,
    datasets: { total: datasets.length, imported: datasets.length - missing.length },
    files: totals ? sum(totals.files, datasets, 'files') : null,
    bytes: totals ? sum(totals.bytes, datasets, 'bytes') : null,
    modified_at: latest(documents?.modifiedAt ?? null, datasets),
    ready: isComplete && datasets.every(({ ready }) => ready),
    state: stateOfSubmission(submission, snapshot),
    imported_at: commit?.imported_at ?? null,
    collection: commit ? `data/projects/${reference}/` : null,
    missing_datasets: missing,
    problems: problemsOf(place, snapshot, datasets),
    warnings: [...new Set([...(documents?.warnings ?? []), ...datasets.flatMap(({ warnings }) => warnings)])],
    import: importOf(reference, snapshot),
  };
}

/** Returns the problems of the documents and of the datasets of a submission, each once. */
function problemsOf(place: SourcePlace, snapshot: Snapshot, datasets: readonly DatasetResponse[]): string[] {
  const own = [
    ...(isIdentifier(place.id) ? [] : ['id.invalid']),
    ...(isDuplicate(place, snapshot.listing, snapshot.stored.submission) ? ['id.duplicate'] : []),
    ...(snapshot.summaryOf(place)?.problems ?? []),
  ];
  return [...new Set([...own, ...datasets.flatMap(({ problems }) => problems)])];
}

/** Whether any dataset of a submission is not imported. */
export function lacksDatasets({ datasets }: ListedSubmission, { stored }: Snapshot): boolean {
  return datasets.some((id) => !stored.dataset.commits.has(id));
}

/** Returns the state in storage of a submission of the source. */
export function stateOfSubmission(submission: ListedSubmission, snapshot: Snapshot): SubmissionState {
  const { commits, open, failures } = snapshot.stored.submission;
  const { reference } = submission;
  if (commits.has(reference)) return lacksDatasets(submission, snapshot) ? 'partly_imported' : 'imported';
  if (open.has(reference)) return 'importing';
  const failure = failures.get(reference);
  const isRejected = failure?.state === 'rejected' && failure.fingerprint !== null;
  return failure?.state === 'failed' || isRejected ? 'failed' : 'not_imported';
}

function importOf(reference: string, { stored }: Snapshot): ImportReference | null {
  const { commits, open, failures } = stored.submission;
  const request = open.get(reference);
  if (request) return { id: request.id, state: 'active' };
  const commit = commits.get(reference);
  const failure = failures.get(reference);
  if (commit && commit.import_id !== failure?.id) return { id: commit.import_id, state: 'finished' };
  return failure ? { id: failure.id, state: failure.state } : null;
}

function sum(own: number, datasets: readonly DatasetResponse[], member: 'files' | 'bytes'): number {
  return datasets.reduce((total, dataset) => total + (dataset[member] ?? 0), own);
}

function latest(own: number | null, datasets: readonly DatasetResponse[]): string | null {
  const instants = datasets.flatMap(({ modified_at }) => (modified_at ? [modified_at] : []));
  if (own !== null) instants.push(new Date(own).toISOString());
  return instants.sort().at(-1) ?? null;
}
