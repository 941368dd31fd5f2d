import { ApiProperty } from '@nestjs/swagger';

const count = { type: 'integer', minimum: 0 } as const;

/** The number of records of one kind. */
export class RecordCounts {
  @ApiProperty({ ...count, description: 'All records of the kind.' })
  total!: number;

  @ApiProperty({ ...count, description: 'Published records of the kind.' })
  published!: number;
}

/** The number of accesses, by state. */
export class AccessCounts {
  @ApiProperty({ ...count, description: 'Accesses that are in force now.' })
  in_force!: number;

  @ApiProperty({ ...count, description: 'Accesses that are in force and end within 30 days.' })
  ending!: number;

  @ApiProperty({ ...count, description: 'Accesses that wait for a confirmation or for the account of the person.' })
  waiting!: number;

  @ApiProperty({ ...count, description: 'Suspended accesses.' })
  suspended!: number;

  @ApiProperty({ ...count, description: 'Entitlements that the access-request system posted and the catalog refused.' })
  refused!: number;
}

/** The number of terms of each vocabulary, without obsolete terms. */
export class TermCounts {
  @ApiProperty(count)
  disease!: number;

  @ApiProperty(count)
  phenotype!: number;

  @ApiProperty(count)
  study!: number;

  @ApiProperty(count)
  gene!: number;
}

/** Counts of the records in the catalog. */
export class OverviewResponse {
  @ApiProperty({ type: RecordCounts })
  projects!: RecordCounts;

  @ApiProperty({ type: RecordCounts })
  datasets!: RecordCounts;

  @ApiProperty({ type: RecordCounts })
  partners!: RecordCounts;

  @ApiProperty({ type: RecordCounts })
  cohorts!: RecordCounts;

  @ApiProperty(count)
  contracts!: number;

  @ApiProperty({ ...count, description: 'Active users, without technical accounts.' })
  users!: number;

  @ApiProperty({ type: AccessCounts })
  accesses!: AccessCounts;

  @ApiProperty({ ...count, description: 'Conflicts of the latest synchronisation with the identity provider.' })
  sync_conflicts!: number;

  @ApiProperty({ type: TermCounts })
  terms!: TermCounts;
}
