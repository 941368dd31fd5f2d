import { ApiProperty } from '@nestjs/swagger';
import { ListResponse } from '../http/list.response.js';
import { isPurged, type Purge, type Withdrawal } from '../model/withdrawal-log.js';

/** A purge of a withdrawn dataset. */
class PurgeResponse implements Purge {
  @ApiProperty()
  import_id!: string;

  @ApiProperty()
  requested_by!: string;

  @ApiProperty()
  reason!: string;

  @ApiProperty({ format: 'date-time' })
  started_at!: string;

  @ApiProperty({ type: String, nullable: true, format: 'date-time', description: 'Null while files may remain.' })
  purged_at!: string | null;
}

/** A withdrawal of a dataset. A dataset that was imported and withdrawn again has several. */
export class WithdrawnDatasetResponse {
  @ApiProperty({ example: 'DS-001', description: 'Id of the dataset.' })
  id!: string;

  @ApiProperty({ description: 'Import id of the withdrawal.' })
  withdrawal!: string;

  @ApiProperty({ description: 'Reference of the submission from which the dataset was imported.' })
  submission!: string;

  @ApiProperty()
  reason!: string;

  @ApiProperty()
  requested_by!: string;

  @ApiProperty({ format: 'date-time' })
  withdrawn_at!: string;

  @ApiProperty({ description: 'Id of the import that was withdrawn.' })
  import_id!: string;

  @ApiProperty({ format: 'date-time' })
  imported_at!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'data/.withdrawn/raw/DS-001.01M7ZW7275ACSPZ1JBFGFVCTZY/',
    description: 'Path of the files in storage; null after a purge.',
  })
  path!: string | null;

  @ApiProperty()
  files!: number;

  @ApiProperty()
  bytes!: number;

  @ApiProperty({ description: 'SHA-256 of the `manifest-sha256.txt` of the dataset.' })
  manifest_sha256!: string;

  @ApiProperty({ type: PurgeResponse, nullable: true, description: 'The purge of the files; null if there is none.' })
  purge!: PurgeResponse | null;
}

/** A list of withdrawals. The header `Link` contains the address of the next page. */
export class WithdrawnDatasetListResponse extends ListResponse {
  @ApiProperty({ type: [WithdrawnDatasetResponse] })
  items!: WithdrawnDatasetResponse[];
}

export function toWithdrawnDataset(withdrawal: Withdrawal): WithdrawnDatasetResponse {
  const { id, dataset, submission, reason, requested_by, withdrawn_at, import_id, imported_at } = withdrawal;
  const { files, bytes, manifest_sha256, purge } = withdrawal;
  return {
    ...{ id: dataset, withdrawal: id, submission, reason, requested_by, withdrawn_at, import_id, imported_at },
    ...{ path: isPurged(withdrawal) ? null : withdrawal.path, files, bytes, manifest_sha256, purge },
  };
}
