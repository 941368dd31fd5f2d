import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { DryRunParameter } from '../../publishing/writing/dry-run.dto.js';
import { WriteParameters } from '../../publishing/writing/write-conditions.decorator.js';

/** The query of a bulk import. */
export class BulkParameters extends IntersectionType(WriteParameters, DryRunParameter) {}

/** The answer to a bulk import. */
export class BulkResponse {
  @ApiProperty({ enum: ['Success'] })
  status!: 'Success';

  @ApiProperty({ description: 'Whether nothing was changed, because the request was a dry run.', example: false })
  dry_run!: boolean;

  @ApiProperty({ type: 'integer', example: 120 })
  items!: number;

  @ApiProperty({ type: 'integer', example: 2 })
  created!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  updated!: number;

  @ApiProperty({ type: 'integer', example: 117 })
  unchanged!: number;
}

/** The result of a bulk import, or the expected result of a dry run. */
export type BulkReport = Omit<BulkResponse, 'status'>;
