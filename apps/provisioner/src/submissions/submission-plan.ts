import { ApiProperty, PickType } from '@nestjs/swagger';
import { ImportPlan } from '../imports/import-plan.js';

/** What an import of one dataset would do, in short; its own plan names the problems. */
class DatasetPlan extends PickType(ImportPlan, ['state', 'ready', 'files', 'bytes', 'problem_count'] as const) {}

class Refusal {
  @ApiProperty({ example: 'id.duplicate' })
  code!: string;

  @ApiProperty()
  message!: string;
}

/** What would become of one dataset that is to be imported with its submission. */
export class PlannedDataset {
  @ApiProperty({ example: 'DS-001' })
  dataset_id!: string;

  @ApiProperty({ type: DatasetPlan, nullable: true })
  plan!: DatasetPlan | null;

  @ApiProperty({ type: Refusal, nullable: true, description: 'Why it would be refused without being looked at.' })
  error!: Refusal | null;
}

/** What an import of a submission would do: of its documents, and of those of its datasets that are wanted. */
export class SubmissionPlan extends ImportPlan {
  @ApiProperty({ description: 'Whether there is room for the documents and these datasets together.' })
  declare fits: boolean;

  @ApiProperty({ type: [PlannedDataset] })
  datasets!: readonly PlannedDataset[];
}
