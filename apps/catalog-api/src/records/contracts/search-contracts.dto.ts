import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { RecordListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { IsProjectId } from '../projects/search-projects.dto.js';

/** The query of the list of contracts. */
export class SearchContracts extends RecordListParameters {
  @IsProjectId()
  project_id?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Whether contracts of all projects are returned. Ignored without the global key.',
  })
  @IsOptional()
  @Matches(/^(true|false)$/i, { message: 'all must be true or false' })
  all?: string;
}
