import { ApiProperty } from '@nestjs/swagger';
import { ImportPlan, PlannedDataset } from '../imports/import-plan.js';

/** The plan of a submission's import: of its documents and of the requested datasets. */
export class SubmissionPlan extends ImportPlan {
  @ApiProperty({
    description: 'Whether the storage has enough space for the documents and the requested datasets together.',
  })
  declare fits: boolean;

  @ApiProperty({ type: [PlannedDataset] })
  datasets!: readonly PlannedDataset[];
}
