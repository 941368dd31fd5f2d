import { ApiProperty } from '@nestjs/swagger';

/** The answer to the import of a vocabulary. */
export class TermImportResponse {
  @ApiProperty({ enum: ['Success'] })
  status!: 'Success';

  @ApiProperty({ description: 'Whether nothing was changed, because the request was a dry run.', example: false })
  dry_run!: boolean;

  @ApiProperty({ type: 'integer', description: 'The number of terms in the file.', example: 17_868 })
  terms!: number;

  @ApiProperty({ type: 'integer', example: 12 })
  created!: number;

  @ApiProperty({ type: 'integer', example: 3 })
  updated!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  obsoleted!: number;

  @ApiProperty({ type: 'integer', example: 17_853 })
  unchanged!: number;
}

/** The result of the import of a vocabulary, or the expected result of a dry run. */
export type TermImportReport = Omit<TermImportResponse, 'status'>;

/** The numbers of terms that an import changed. */
export type TermChanges = Omit<TermImportReport, 'dry_run' | 'terms'>;
