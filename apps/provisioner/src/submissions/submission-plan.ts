import { ApiProperty, PickType } from '@nestjs/swagger';
import { ImportPlan } from '../imports/import-plan.js';

/** The short plan of a dataset's import. A plan of the dataset lists the problems. */
class DatasetPlan extends PickType(ImportPlan, ['state', 'ready', 'files', 'bytes', 'problem_count'] as const) {}

/** The error with which a request would be refused. */
class Refusal {
  @ApiProperty({ example: 'id.duplicate' })
  code!: string;

  @ApiProperty()
  message!: string;
}

/** The planned import of one dataset of a submission. */
export class PlannedDataset {
  @ApiProperty({ example: 'DS-001' })
  dataset_id!: string;

  @ApiProperty({ type: DatasetPlan, nullable: true })
  plan!: DatasetPlan | null;

  @ApiProperty({
    type: Refusal,
    nullable: true,
    description: 'Error with which the request for the dataset would be refused; null if it would be accepted.',
  })
  error!: Refusal | null;
}

/** The plan of a submission's import: of its documents and of the requested datasets. */
export class SubmissionPlan extends ImportPlan {
  @ApiProperty({
    description: 'Whether the storage has enough space for the documents and the requested datasets together.',
  })
  declare fits: boolean;

  @ApiProperty({ type: [PlannedDataset] })
  datasets!: readonly PlannedDataset[];
}
