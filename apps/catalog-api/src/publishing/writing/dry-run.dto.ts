import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** The query of an import that supports a dry run. */
export class DryRunParameter {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Report the changes without making them.',
    example: 'true',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'dry_run must be true or false' })
  dry_run?: string;
}
