import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

const truths = ['true', 'false'] as const;

/** The sessions that `DELETE /api/sessions` ends. */
export class EndSessions {
  @ApiPropertyOptional({ enum: truths, description: '`true`: the session of this request stays.' })
  @IsOptional()
  @IsIn(truths, { message: 'others must be true or false' })
  others?: (typeof truths)[number];
}

/** A session that lasts. */
export class ListedSession {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'When the person signed in.' })
  started_at!: Date;

  @ApiProperty({ description: 'When the session ends at the latest.' })
  expires_at!: Date;

  @ApiProperty({ description: 'When the session was last used, to the minute.' })
  last_used_at!: Date;

  @ApiProperty({ type: String, nullable: true, description: 'The address from which the person signed in.' })
  address!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The browser as it names itself, 200 characters at most.' })
  user_agent!: string | null;

  @ApiProperty({ enum: ['password', 'identity_provider'], type: String, nullable: true })
  method!: string | null;

  @ApiProperty({ description: 'Whether it is the session of this request.' })
  current!: boolean;
}

/** Sessions, newest first. */
export class SessionList {
  @ApiProperty({ type: [ListedSession] })
  results!: readonly ListedSession[];
}
