import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Length } from 'class-validator';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';

/** Decorates the parameter `project_id`. */
export function IsProjectId(): PropertyDecorator {
  return (target, property) => {
    ApiPropertyOptional({ description: 'An `id_at_source`, or else an `external_id`, of a project.' })(
      target,
      property,
    );
    IsOptional()(target, property);
    Length(1, 255, { message: `${String(property)} must have 1 to 255 characters` })(target, property);
  };
}

/** The query of the list of projects. */
export class SearchProjects extends ListParameters {
  @IsProjectId()
  project_id?: string;

  @ApiPropertyOptional({ description: 'Comma list of the members to send; all when absent.' })
  @IsOptional()
  @Length(0, 2000, { message: 'fields must have at most 2000 characters' })
  fields?: string;
}
