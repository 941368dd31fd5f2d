import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Length } from 'class-validator';
import { ListParameters } from '../../publishing/documents/list-parameters.dto.js';

/** The query of the list of partners. Its own two parameters count with a key only, and are checked only then. */
export class SearchPartners extends ListParameters {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'With a key: only published, or only unpublished ones.',
  })
  @IsOptional()
  @Length(0)
  published?: string;

  @ApiPropertyOptional({ description: 'With a key: comma list of `external_id`, `acronym`, `name`.' })
  @IsOptional()
  @Length(0)
  fields?: string;
}
