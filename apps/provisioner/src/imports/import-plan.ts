import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import type { ImportPlan as Plan, PlannedDataset as DatasetPlanned } from '../model/import-plan.js';
import type { Problem, ProblemCode } from '../model/problem.js';
import { SpacePlanResponse } from './space-plan.response.js';

class PlanProblem implements Problem {
  @ApiProperty({ type: String, example: 'name.invalid' })
  code!: ProblemCode;

  @ApiProperty()
  message!: string;

  @ApiPropertyOptional({ description: 'Path of the affected file or folder.' })
  path?: string;
}

/** The findings of a walk of a delivery. */
class PlanFindings implements Plan {
  @ApiProperty({ enum: ['imported', 'differs', 'importing', 'not_imported'] })
  state!: Plan['state'];

  @ApiProperty({ description: 'Whether the delivery is complete.' })
  ready!: boolean;

  @ApiProperty()
  files!: number;

  @ApiProperty()
  bytes!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Bytes that imports can still use; null if the storage has no known limit.',
  })
  free_bytes!: number | null;

  @ApiProperty({ description: 'Whether the storage has enough free bytes and inodes for the rest of the import.' })
  fits!: boolean;

  @ApiProperty()
  space!: SpacePlanResponse;

  @ApiProperty({ description: 'Number of problems that prevent the import and can be found without reading the data.' })
  problem_count!: number;

  @ApiProperty({
    type: [PlanProblem],
    description: 'Sorted by path. A plan has at most 10,000 of each code; an import and a list of imports have 20.',
  })
  problems!: readonly PlanProblem[];

  @ApiProperty({ description: 'Number of findings that do not prevent the import.' })
  warning_count!: number;

  @ApiProperty({ type: [PlanProblem], description: 'As `problems`.' })
  warnings!: readonly PlanProblem[];

  @ApiProperty({ format: 'date-time', description: 'Start of the walk of the delivery.' })
  scanned_at!: string;
}

/** The short plan of a dataset's import. A plan of the dataset lists the problems. */
class DatasetPlan extends PickType(PlanFindings, ['state', 'ready', 'files', 'bytes', 'problem_count'] as const) {}

/** The error with which a request would be refused. */
class Refusal {
  @ApiProperty({ example: 'id.duplicate' })
  code!: string;

  @ApiProperty()
  message!: string;
}

/** The planned import of one dataset of a submission. */
export class PlannedDataset implements DatasetPlanned {
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

/** The plan of an import, as a member of the import. */
export class PlanOfImport extends PlanFindings {
  @ApiPropertyOptional({ type: [PlannedDataset], description: 'Only in the plan of a submission.' })
  datasets?: readonly PlannedDataset[];
}

/** The plan of an import, as the answer to a dry run. */
export class ImportPlan extends PlanFindings {
  @ApiProperty({ enum: [true] })
  dry_run!: true;

  @ApiProperty({ description: 'Id of the dataset, or reference of the submission.' })
  subject!: string;
}
