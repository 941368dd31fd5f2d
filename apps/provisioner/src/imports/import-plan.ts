import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
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

export class ImportPlan {
  @ApiProperty({ enum: [true] })
  dry_run!: true;

  @ApiProperty({ description: 'Id of the dataset, or reference of the submission.' })
  subject!: string;

  @ApiProperty({ enum: ['imported', 'differs', 'importing', 'not_imported'] })
  state!: 'imported' | 'differs' | 'importing' | 'not_imported';

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

  @ApiProperty({ type: [PlanProblem], description: 'Sorted by path; at most 10,000 of each code.' })
  problems!: readonly PlanProblem[];

  @ApiProperty({ description: 'Number of findings that do not prevent the import.' })
  warning_count!: number;

  @ApiProperty({ type: [PlanProblem], description: 'Sorted by path; at most 10,000 of each code.' })
  warnings!: readonly PlanProblem[];
}
