import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Length } from 'class-validator';
import { RecordListParameters } from '../../publishing/documents/list-parameters.dto.js';

/** The query of the list of cohorts. Without the global key, `published` is ignored. */
export class SearchCohorts extends RecordListParameters {
  @ApiPropertyOptional({
    enum: ['true', 'false', 'all'],
    description: 'Which cohorts are returned. `true` if absent. Ignored without the global key.',
  })
  @IsOptional()
  @Length(0)
  published?: string;
}
