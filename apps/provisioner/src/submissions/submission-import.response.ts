import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ImportResponse } from '../imports/import.response.js';
import type { DatasetSubmitResult } from './submissions.service.js';

class RefusalResponse {
  @ApiProperty({ example: 'source.not_ready' })
  code!: string;

  @ApiProperty()
  message!: string;
}

class DatasetSubmitResponse implements DatasetSubmitResult {
  @ApiProperty({ example: 'DS-001' })
  dataset_id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The import of the dataset; null if it was refused.' })
  import_id!: string | null;

  @ApiProperty({
    type: RefusalResponse,
    nullable: true,
    description: 'The error with which the import of the dataset was refused; null if it was accepted.',
  })
  error!: RefusalResponse | null;
}

/** The import of a submission, and the requests to import its datasets. */
export class SubmissionImportResponse extends ImportResponse {
  @ApiPropertyOptional({
    type: [DatasetSubmitResponse],
    description: 'The datasets that the request selected. Absent if `dry_run` is set.',
  })
  datasets?: readonly DatasetSubmitResponse[];
}
