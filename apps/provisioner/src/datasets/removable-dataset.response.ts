import { ApiProperty } from '@nestjs/swagger';
import { ListResponse } from '../http/list.response.js';
import type { CommitHead } from '../model/commit.js';
import type { SourcePlace } from '../model/source-system.js';
import { sourcePathOf, type LatestCheck } from './removable-datasets.js';

/** A dataset whose files in the source can be deleted. */
export class RemovableDatasetResponse {
  @ApiProperty({ example: 'DS-001' })
  id!: string;

  @ApiProperty({ description: 'Reference of the submission that contains the dataset.' })
  submission!: string;

  @ApiProperty({
    example: 'SUB-2026-001/DS-001/',
    description: 'Path below the root of the source. Only this folder is a copy of the imported dataset.',
  })
  source_path!: string;

  @ApiProperty({ example: 'data/raw/DS-001/', description: 'Path of the dataset in storage.' })
  path!: string;

  @ApiProperty({ description: 'Number of imported files.' })
  files!: number;

  @ApiProperty({ description: 'Total size of the imported files.' })
  bytes!: number;

  @ApiProperty({ format: 'date-time' })
  imported_at!: string;

  @ApiProperty({
    format: 'date',
    description: 'Day of the latest comparison of the stored files with their checksums, in UTC.',
  })
  verified_on!: string;

  @ApiProperty({
    enum: ['import', 'fixity'],
    description:
      '`import`: the import compared the files that it stored. `fixity`: a later verification read the stored files.',
  })
  verified_by!: LatestCheck['by'];
}

/** A list of datasets whose files in the source can be deleted. The header `Link` contains the address of the next page. */
export class RemovableDatasetListResponse extends ListResponse {
  @ApiProperty({ type: [RemovableDatasetResponse] })
  items!: RemovableDatasetResponse[];
}

/** Returns the response for a dataset whose files in the source can be deleted. */
export function toRemovableDataset(
  place: SourcePlace,
  { files, bytes, imported_at }: CommitHead,
  { on, by }: LatestCheck,
): RemovableDatasetResponse {
  return {
    id: place.id,
    submission: place.submission,
    source_path: sourcePathOf(place),
    path: `data/raw/${place.id}/`,
    files,
    bytes,
    imported_at,
    verified_on: on,
    verified_by: by,
  };
}
