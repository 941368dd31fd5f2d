import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsWholeNumber } from './whole-number.decorator.js';

/** The query parameters of every list: a search text and optional paging. */
export class ListQuery {
  @ApiPropertyOptional({
    description: 'Search text: lists only items whose id, reference or title contains the text, ignoring case.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  q?: string;

  @ApiPropertyOptional({
    description: 'Maximum number of items in the response. Without a limit, the response contains all items.',
  })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  limit?: number;

  @ApiPropertyOptional({ description: 'Position of the page, from the header `Link` of the previous response.' })
  @IsOptional()
  @Matches(/^[A-Za-z0-9_-]{1,2048}$/, { message: 'cursor must be taken from the header Link of a response' })
  cursor?: string;
}

/** Validates that a parameter is `true` or `false`. */
export const IsFlag = (): PropertyDecorator => IsIn(['true', 'false']);
