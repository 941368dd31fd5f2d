import { ApiProperty } from '@nestjs/swagger';

/** A fact that the national catalogue of health datasets requires. */
export class RequiredFactResponse {
  @ApiProperty({ description: 'The name of the fact, such as `provenance`.' })
  name!: string;

  @ApiProperty({ description: 'The property of linked data that contains the fact, with its prefix.' })
  property!: string;

  @ApiProperty({ description: 'Whether the record or the settings state the fact.' })
  stated!: boolean;

  @ApiProperty({
    type: [String],
    description:
      'The members of the record that state the fact. One is sufficient. Empty if a setting states the fact.',
  })
  fields!: readonly string[];

  @ApiProperty({ type: [String], description: 'The settings of the catalog that state the fact. One is sufficient.' })
  settings!: readonly string[];
}

/** The facts of a dataset that the national catalogue of health datasets requires. */
export class DatasetReadinessResponse {
  @ApiProperty({ type: 'integer', description: 'The number of required facts that are stated.' })
  stated!: number;

  @ApiProperty({ type: 'integer', description: 'The number of required facts.' })
  required!: number;

  @ApiProperty({ type: [RequiredFactResponse] })
  facts!: readonly RequiredFactResponse[];
}
