import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Length } from 'class-validator';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';

/** The query of the list of cohorts. Its own parameter counts with the global key only, and is checked only then. */
export class SearchCohorts extends ListParameters {
  @ApiPropertyOptional({ enum: ['true', 'false', 'all'], description: 'With the global key; `true` when absent.' })
  @IsOptional()
  @Length(0)
  published?: string;
}
