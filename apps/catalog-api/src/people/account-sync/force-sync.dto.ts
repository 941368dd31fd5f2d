import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IdentitySyncReport } from './identity-sync.dto.js';
import type { DeactivatedPerson } from './sync-report.js';

/** The query of a forced synchronisation. */
export class ForceSync {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: '`true` allows many people to be deactivated, after an earlier run reported this as a conflict.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'confirm must be true or false' })
  confirm?: 'true' | 'false';

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description:
      '`true` changes nothing, and lists the people whom a synchronisation with `confirm=true` would deactivate.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'dry_run must be true or false' })
  dry_run?: 'true' | 'false';
}

/** A person whom a synchronisation would deactivate. */
export class PersonToDeactivate implements DeactivatedPerson {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  subject!: string;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;

  @ApiProperty()
  first_name!: string;

  @ApiProperty()
  last_name!: string;

  @ApiProperty({ enum: ['gone', 'disabled'], description: 'Whether the account no longer exists or is disabled.' })
  reason!: 'gone' | 'disabled';
}

/** The answer to a forced synchronisation. */
export class ForceSyncResponse extends IdentitySyncReport {
  @ApiProperty({ enum: ['Success'] })
  status!: 'Success';

  @ApiPropertyOptional({ description: '`true` if the call changed nothing; absent otherwise.' })
  dry_run?: boolean;

  @ApiPropertyOptional({
    type: [PersonToDeactivate],
    description: 'The people who would be deactivated, at most a thousand. Only with `dry_run=true`.',
  })
  deactivations?: readonly PersonToDeactivate[];
}
