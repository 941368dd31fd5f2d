import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsFlag } from '../http/list.query.js';
import { IsWholeNumber } from '../http/whole-number.decorator.js';
import { importKinds, importStates, type ImportState } from '../model/import-record.js';

/** Which imports to list. */
export class SearchImports {
  @ApiPropertyOptional({ enum: importStates })
  @IsOptional()
  @IsIn(importStates)
  state?: ImportState;

  @ApiPropertyOptional({ enum: importKinds })
  @IsOptional()
  @IsIn(importKinds)
  kind?: string;

  @ApiPropertyOptional({ description: "A dataset's id or a submission's reference." })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  subject?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 1000, default: 100 })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  limit?: number;

  @ApiPropertyOptional({ description: 'Where to go on, as the header `Link` of the previous answer said.' })
  @IsOptional()
  @Matches(/^[0-9A-HJKMNP-TV-Z]{26}$/, { message: 'cursor must be one that an answer gave' })
  cursor?: string;
}

/** Which files of an import to list. */
export class SearchFiles {
  @ApiPropertyOptional({ enum: ['finished', 'failed'] })
  @IsOptional()
  @IsIn(['finished', 'failed'])
  state?: 'finished' | 'failed';

  @ApiPropertyOptional({ minimum: 1, maximum: 1000, default: 1000 })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  limit?: number;

  @ApiPropertyOptional({ description: 'Where to go on, as the header `Link` of the previous answer said.' })
  @IsOptional()
  @Matches(/^\d{1,15}$/, { message: 'cursor must be one that an answer gave' })
  cursor?: string;
}

/** For how long a POST is held. */
export class WaitMode {
  @ApiPropertyOptional({ minimum: 0, maximum: 60, description: 'Seconds to wait for the end of the import.' })
  @IsOptional()
  @IsWholeNumber(0, 60)
  wait?: number;
}

/** How a POST for an import is answered. */
export class ImportMode extends WaitMode {
  @ApiPropertyOptional({ enum: ['true', 'false'], description: '`true`: say what would be done, and do nothing.' })
  @IsOptional()
  @IsFlag()
  dry_run?: 'true' | 'false';
}
