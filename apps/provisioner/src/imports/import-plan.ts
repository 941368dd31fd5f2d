import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Problem, ProblemCode } from '../model/problem.js';

class PlanProblem implements Problem {
  @ApiProperty({ type: String, example: 'name.invalid' })
  code!: ProblemCode;

  @ApiProperty()
  message!: string;

  @ApiPropertyOptional({ description: 'The file or folder concerned.' })
  path?: string;
}

/** What an import would do. */
export class ImportPlan {
  @ApiProperty({ enum: [true] })
  dry_run!: true;

  @ApiProperty({ description: "The dataset's id or the submission's reference." })
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
    description: 'Bytes that imports may still take; null where the storage cannot tell.',
  })
  free_bytes!: number | null;

  @ApiProperty({ description: 'Whether there is room for it.' })
  fits!: boolean;

  @ApiProperty({ description: 'How much stands in its way, all that can be found without reading the data.' })
  problem_count!: number;

  @ApiProperty({ type: [PlanProblem], description: 'By path; of each code no more than 10,000 are named.' })
  problems!: readonly PlanProblem[];

  @ApiProperty({ description: 'How much is reported and does not stand in its way.' })
  warning_count!: number;

  @ApiProperty({ type: [PlanProblem], description: 'By path; of each code no more than 10,000 are named.' })
  warnings!: readonly PlanProblem[];
}
