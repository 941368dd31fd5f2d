import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IdentitySyncReport } from './identity-sync.dto.js';

/** The query of a forced synchronisation. */
export class ForceSync {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: '`true` allows many people to be deactivated, after an earlier run reported this as a conflict.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'confirm must be true or false' })
  confirm?: 'true' | 'false';
}

/** The answer to a forced synchronisation. */
export class ForceSyncResponse extends IdentitySyncReport {
  @ApiProperty({ enum: ['Success'] })
  status!: 'Success';
}
