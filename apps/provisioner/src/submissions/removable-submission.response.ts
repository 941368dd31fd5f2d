import { ApiProperty } from '@nestjs/swagger';
import { sourcePathOf, type RemovableSet } from '../datasets/removable-datasets.js';
import { ListResponse } from '../http/list.response.js';
import { keyOfPlace } from '../model/place-summary.js';
import type { ListedSubmission } from '../model/source-system.js';
import { collectionOf } from '../source/source-index.js';

/** A submission whose documents and datasets in the source can be deleted. */
export class RemovableSubmissionResponse {
  @ApiProperty({ example: 'SUB-2026-001' })
  reference!: string;

  @ApiProperty({ example: 'SUB-2026-001/', description: 'Path below the root of the source.' })
  source_path!: string;

  @ApiProperty({ example: 'data/projects/SUB-2026-001/', description: 'Path of the project collection in storage.' })
  collection!: string;

  @ApiProperty({ type: [String], description: 'Ids of the datasets that the source contains. All can be deleted.' })
  datasets!: readonly string[];

  @ApiProperty({ format: 'date-time', description: 'Time of the latest import of the documents and datasets.' })
  imported_at!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'Earliest `verified_on` of the datasets; null if the source contains no dataset of the submission.',
  })
  verified_on!: string | null;
}

/** A list of submissions that can be deleted from the source. The header `Link` contains the address of the next page. */
export class RemovableSubmissionListResponse extends ListResponse {
  @ApiProperty({ type: [RemovableSubmissionResponse] })
  items!: RemovableSubmissionResponse[];
}

/**
 * Returns the response for a submission of the source, or null if any of its documents or datasets must stay. The
 * documents must be imported, unchanged and old enough, like each dataset.
 */
export function toRemovableSubmission(
  submission: ListedSubmission,
  { snapshot, unchanged, checks }: RemovableSet,
): RemovableSubmissionResponse | null {
  const { reference, datasets } = submission;
  const place = collectionOf(submission);
  const commit = unchanged.has(keyOfPlace(place)) ? snapshot.stored.submission.commits.get(reference) : undefined;
  if (!commit || snapshot.listing.duplicates.submission.has(reference)) return null;
  const days: string[] = [];
  let importedAt = commit.imported_at;
  for (const id of datasets) {
    const check = checks.get(id);
    const imported = snapshot.stored.dataset.commits.get(id);
    if (!check || !imported) return null;
    days.push(check.on);
    if (imported.imported_at > importedAt) importedAt = imported.imported_at;
  }
  return {
    reference,
    source_path: sourcePathOf(place),
    collection: `data/projects/${reference}/`,
    datasets,
    imported_at: importedAt,
    verified_on: days.sort()[0] ?? null,
  };
}
