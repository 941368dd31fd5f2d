import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Length } from 'class-validator';
import { RecordListParameters } from '../../publishing/documents/list-parameters.dto.js';

/** The query of the list of partners. Without a key, `published` and `fields` are ignored. */
export class SearchPartners extends RecordListParameters {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Whether only published or only unpublished partners are returned. Ignored without a key.',
  })
  @IsOptional()
  @Length(0)
  published?: string;

  @ApiPropertyOptional({
    description: 'The members to return, separated by commas: `external_id`, `acronym`, `name`. Ignored without a key.',
  })
  @IsOptional()
  @Length(0)
  fields?: string;
}
