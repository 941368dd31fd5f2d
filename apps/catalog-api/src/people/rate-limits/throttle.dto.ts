import { ApiProperty } from '@nestjs/swagger';

/** The sorts of limited failures. */
const throttleKinds = ['login', 'account', 'wrong_key', 'refused_post'] as const;

/** An account or a network whose failures have reached a limit. */
export class ThrottleResponse {
  @ApiProperty({ description: 'The id of the account or network in the path of `DELETE`.' })
  id!: string;

  @ApiProperty({
    enum: throttleKinds,
    description:
      '`account`: wrong passwords for one login. `login`, `wrong_key`, `refused_post`: failures from one network.',
  })
  kind!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The address, or the /64 of an IPv6 address; null for an account.',
  })
  network!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The id of the account; null for a network or for an unknown login.',
  })
  user_id!: number | null;

  @ApiProperty({ type: String, nullable: true })
  user_name!: string | null;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;

  @ApiProperty({ type: 'integer', description: 'Number of failures in the current window.' })
  failures!: number;

  @ApiProperty({ type: 'integer', description: 'The limit that the failures have reached.' })
  limit!: number;

  @ApiProperty({ description: 'The end of the window, and of the refusals unless a release ends them.' })
  ends_at!: Date;
}

/** Up to 1,000 accounts and networks that are refused now; those that stay refused longest come first. */
export class ThrottleList {
  @ApiProperty({ type: [ThrottleResponse] })
  results!: readonly ThrottleResponse[];
}
