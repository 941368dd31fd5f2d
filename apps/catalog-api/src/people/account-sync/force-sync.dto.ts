import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IdentitySyncReport } from './identity-sync.dto.js';

/** The query of a forced synchronisation. */
export class ForceSync {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: '`true` lets many people be deactivated at once, of which a run before has told as a conflict.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'confirm must be true or false' })
  confirm?: 'true' | 'false';
}

/** What a synchronisation is answered with. */
export class ForceSyncResponse extends IdentitySyncReport {
  @ApiProperty({ enum: ['Success'] })
  status!: 'Success';
}
