import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** The query of an import that can be rehearsed. */
export class DryRunParameter {
  @ApiPropertyOptional({ enum: ['true', 'false'], description: 'Say what would change, and change nothing.' })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'dry_run must be true or false' })
  dry_run?: string;
}
