import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

const truths = ['true', 'false'] as const;

/** The query of `DELETE /api/sessions`. */
export class EndSessions {
  @ApiPropertyOptional({ enum: truths, description: '`true`: the current session does not end.' })
  @IsOptional()
  @IsIn(truths, { message: 'others must be true or false' })
  others?: (typeof truths)[number];
}

/** An open session. */
export class ListedSession {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'The instant of the sign-in.' })
  started_at!: Date;

  @ApiProperty({ description: 'The latest end of the session.' })
  expires_at!: Date;

  @ApiProperty({ description: 'The last use, to the minute.' })
  last_used_at!: Date;

  @ApiProperty({ type: String, nullable: true, description: 'The address from which the person signed in.' })
  address!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The first 200 characters of the header `User-Agent` of the browser.',
  })
  user_agent!: string | null;

  @ApiProperty({ enum: ['password', 'identity_provider'], type: String, nullable: true })
  method!: string | null;

  @ApiProperty({ description: 'Whether this is the session of the request.' })
  current!: boolean;
}

/** Sessions, newest first. */
export class SessionList {
  @ApiProperty({ type: [ListedSession] })
  results!: readonly ListedSession[];
}
