import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsFlag } from '../http/list.query.js';
import { IsWholeNumber } from '../http/whole-number.decorator.js';
import { cursorRule } from './list-lines.js';
import { importKinds, importStates, type ImportState } from '../model/import-record.js';

/** The filter of a list of imports. */
export class SearchImports {
  @ApiPropertyOptional({ enum: importStates, description: 'The state of the imports.' })
  @IsOptional()
  @IsIn(importStates)
  state?: ImportState;

  @ApiPropertyOptional({ enum: importKinds, description: 'The kind of the imports.' })
  @IsOptional()
  @IsIn(importKinds)
  kind?: string;

  @ApiPropertyOptional({ description: 'Id of a dataset, or reference of a submission.' })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  subject?: string;

  @ApiPropertyOptional({ default: 100, description: 'Imports on a page.' })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  limit?: number;

  @ApiPropertyOptional({ description: 'Start of the page, as in the header `Link` of the previous response.' })
  @IsOptional()
  @Matches(/^[0-9A-HJKMNP-TV-Z]{26}$/, { message: `cursor ${cursorRule}` })
  cursor?: string;
}

/** The filter of a list of files of an import. */
export class SearchFiles {
  @ApiPropertyOptional({ enum: ['finished', 'failed'], description: 'The state of the files.' })
  @IsOptional()
  @IsIn(['finished', 'failed'])
  state?: 'finished' | 'failed';

  @ApiPropertyOptional({ default: 1000, description: 'Files on a page.' })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  limit?: number;

  @ApiPropertyOptional({ description: 'Start of the page, as in the header `Link` of the previous response.' })
  @IsOptional()
  @Matches(/^\d{1,15}$/, { message: `cursor ${cursorRule}` })
  cursor?: string;
}

/** The waiting time of a POST. */
export class WaitMode {
  @ApiPropertyOptional({ description: 'Seconds to wait for the end of the import.' })
  @IsOptional()
  @IsWholeNumber(0, 60)
  wait?: number;
}

/** The options of a POST that submits an import. */
export class ImportMode extends WaitMode {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description:
      '`true`: plan the import, and change nothing. The plan is sent if it is complete within `wait` seconds, 5 by default.',
    example: 'true',
  })
  @IsOptional()
  @IsFlag()
  dry_run?: 'true' | 'false';
}
