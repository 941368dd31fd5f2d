import { ApiProperty } from '@nestjs/swagger';

/** The sorts of failures that are limited. */
export const throttleKinds = ['login', 'account', 'wrong_key', 'refused_post'] as const;

/** An account or a network whose failures have reached a limit. */
export class ThrottleResponse {
  @ApiProperty({ description: 'Names the account or network in the path of `DELETE`.' })
  id!: string;

  @ApiProperty({
    enum: throttleKinds,
    description:
      '`account`: wrong passwords for one login; `login`, `wrong_key`, `refused_post`: failures from one network.',
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
    description: 'The account; null for a network, or for a login of no account.',
  })
  user_id!: number | null;

  @ApiProperty({ type: String, nullable: true })
  user_name!: string | null;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;

  @ApiProperty({ type: 'integer', description: 'Failures in the present window.' })
  failures!: number;

  @ApiProperty({ type: 'integer', description: 'The limit that the failures have reached.' })
  limit!: number;

  @ApiProperty({ description: 'When the refusals end without a release.' })
  ends_at!: Date;
}

/** The accounts and networks that are refused now, at most 1,000, those that stay refused longest first. */
export class ThrottleList {
  @ApiProperty({ type: [ThrottleResponse] })
  results!: readonly ThrottleResponse[];
}
