import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { isDayOrInstant, utcOf } from '@rdc/http';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, Length, MaxLength, ValidateBy } from 'class-validator';
import { IsFlag, ListQuery } from '../http/list.query.js';
import { IsWholeNumber } from '../http/whole-number.decorator.js';
import { datasetStates, type DatasetState } from './dataset.response.js';

const notDayOrInstant = '$property must be a day or an instant in ISO 8601, such as 2026-12-01T02:00:00Z';

/** Takes days and instants, and hands them on in UTC, so that every process reads the same one. `null` is none. */
const IsDayOrInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (isDayOrInstant(value) ? utcOf(value) : (value ?? undefined))),
    ValidateBy({
      name: 'isDayOrInstant',
      validator: { validate: isDayOrInstant, defaultMessage: () => notDayOrInstant },
    }),
  );

/** Which datasets to list. */
export class SearchDatasets extends ListQuery {
  @ApiPropertyOptional({ description: 'Reference of the submission they were delivered in.' })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  submission?: string;

  @ApiPropertyOptional({ enum: datasetStates })
  @IsOptional()
  @IsIn(datasetStates)
  state?: DatasetState;
}

/** Which datasets of the diff to list. */
export class SearchDatasetDiff extends SearchDatasets {
  @ApiPropertyOptional({ enum: ['true', 'false'], description: '`true` adds those that changed after their import.' })
  @IsOptional()
  @IsFlag()
  changed?: 'true' | 'false';
}

/** What to import. */
export class ImportDataset {
  @ApiProperty({ example: 'DS-001' })
  @Length(1, 255, { message: 'dataset_id must be a text of 1 to 255 characters' })
  dataset_id!: string;

  @ApiPropertyOptional({
    minimum: 1,
    maximum: 1000,
    description: '1 goes first; without one it goes before all that have one.',
  })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  priority?: number;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Not before this day or instant; in UTC where it names no offset.',
  })
  @IsOptional()
  @IsDayOrInstant()
  not_before?: string;
}
