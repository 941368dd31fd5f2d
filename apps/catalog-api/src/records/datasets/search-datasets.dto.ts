import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Length } from 'class-validator';
import { RecordListParameters } from '../../publishing/documents/list-parameters.dto.js';
import { IsProjectId } from '../projects/search-projects.dto.js';

/** The query of the list of datasets. */
export class SearchDatasets extends RecordListParameters {
  @IsProjectId()
  project_id?: string;

  @ApiPropertyOptional({ description: 'The exact title of a project. Returns the datasets of that project.' })
  @IsOptional()
  @Length(1, 500, { message: 'project_title must have 1 to 500 characters' })
  project_title?: string;
}
