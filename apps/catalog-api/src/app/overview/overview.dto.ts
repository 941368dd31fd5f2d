import { ApiProperty } from '@nestjs/swagger';

const count = { type: 'integer', minimum: 0 } as const;

/** Records of a kind, and how many of them are published. */
export class RecordCounts {
  @ApiProperty(count)
  total!: number;

  @ApiProperty(count)
  published!: number;
}

/** Accesses, by what an administrator may have to do about them. */
export class AccessCounts {
  @ApiProperty({ ...count, description: 'In force now.' })
  in_force!: number;

  @ApiProperty({ ...count, description: 'In force, and ending within 30 days.' })
  ending!: number;

  @ApiProperty({ ...count, description: 'Waiting for their person, or for their confirmation.' })
  waiting!: number;

  @ApiProperty({ ...count, description: 'Held back.' })
  suspended!: number;

  @ApiProperty({ ...count, description: 'Claimed by the access-request system, and refused.' })
  refused!: number;
}

/** Terms of each vocabulary, obsolete ones left out. */
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

/** The catalog in numbers. */
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

  @ApiProperty({ ...count, description: 'Active people, technical accounts left out.' })
  users!: number;

  @ApiProperty({ type: AccessCounts })
  accesses!: AccessCounts;

  @ApiProperty({ ...count, description: 'Conflicts of the latest synchronisation with the identity provider.' })
  sync_conflicts!: number;

  @ApiProperty({ type: TermCounts })
  terms!: TermCounts;
}
