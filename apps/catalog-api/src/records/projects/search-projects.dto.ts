import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Length } from 'class-validator';
import { RecordListParameters } from '../../publishing/documents/list-parameters.dto.js';

/** Declares the query parameter `project_id`. */
export function IsProjectId(): PropertyDecorator {
  return (target, property) => {
    ApiPropertyOptional({ description: 'The `id_at_source` or the `external_id` of a project.' })(target, property);
    IsOptional()(target, property);
    Length(1, 255, { message: `${String(property)} must have 1 to 255 characters` })(target, property);
  };
}

/** The query of the list of projects. */
export class SearchProjects extends RecordListParameters {
  @IsProjectId()
  project_id?: string;

  @ApiPropertyOptional({ description: 'The members to return, separated by commas. All members if absent.' })
  @IsOptional()
  @Length(0, 2000, { message: 'fields must have at most 2000 characters' })
  fields?: string;
}
