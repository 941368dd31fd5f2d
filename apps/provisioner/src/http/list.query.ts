import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsWholeNumber } from './whole-number.decorator.js';

/** What every list takes: a search, and paging for those who ask for it. */
export class ListQuery {
  @ApiPropertyOptional({ description: 'Text that the id, reference or title holds; case does not matter.' })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  q?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 1000, description: 'Items in one answer; all when absent.' })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  limit?: number;

  @ApiPropertyOptional({ description: 'Where to go on, as the header `Link` of the previous answer said.' })
  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,2048}$/, { message: 'cursor must be one that an answer gave' })
  cursor?: string;
}

/** A parameter that is `true` or `false`. */
export const IsFlag = (): PropertyDecorator => IsIn(['true', 'false']);
