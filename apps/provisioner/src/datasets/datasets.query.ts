import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { isDayOrInstant, utcOf } from '@rdc/http';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsString, Length, MaxLength, ValidateBy } from 'class-validator';
import { IsFlag, ListQuery } from '../http/list.query.js';
import { IsWholeNumber } from '../http/whole-number.decorator.js';
import { manifestAlgorithms, type ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import { datasetStates, type DatasetState } from './dataset.response.js';

const dayOrInstantRule = '$property must be a day or an instant in ISO 8601, such as 2026-12-01T02:00:00Z';

/** Accepts a day or an instant and converts it to an instant in UTC. Treats `null` as absent. */
const IsDayOrInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (isDayOrInstant(value) ? utcOf(value) : (value ?? undefined))),
    ValidateBy({
      name: 'isDayOrInstant',
      validator: { validate: isDayOrInstant, defaultMessage: () => dayOrInstantRule },
    }),
  );

/** The filter of a list of datasets. */
export class SearchDatasets extends ListQuery {
  @ApiPropertyOptional({ description: 'Lists only the datasets of the submission with this reference.' })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  submission?: string;

  @ApiPropertyOptional({ enum: datasetStates, description: 'Lists only datasets in this state.' })
  @IsOptional()
  @IsIn(datasetStates)
  state?: DatasetState;
}

/** The selection of a manifest. */
export class ManifestQuery {
  @ApiPropertyOptional({
    enum: manifestAlgorithms,
    description:
      'The algorithm of the checksums. The answer has lines for `md5sum -c` or its siblings; 404 if the import wrote no such manifest (`MANIFEST_ALGORITHMS`).',
  })
  @IsOptional()
  @IsIn(manifestAlgorithms)
  algorithm?: ManifestAlgorithm;
}

/** The filter of the diff of datasets. */
export class SearchDatasetDiff extends SearchDatasets {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'If `true`, the list also contains imported datasets that have changed in the source.',
  })
  @IsOptional()
  @IsFlag()
  changed?: 'true' | 'false';
}

/** A request to import a dataset. */
export class ImportDataset {
  @ApiProperty({ example: 'DS-001' })
  @Length(1, 255, { message: 'dataset_id must be a text of 1 to 255 characters' })
  dataset_id!: string;

  @ApiPropertyOptional({
    minimum: 1,
    maximum: 1000,
    description: 'Position in the queue: 1 is first. An import without a priority runs before all imports with one.',
  })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  priority?: number;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Earliest start of the import: a day or an instant in ISO 8601. Without an offset, the time is UTC.',
  })
  @IsOptional()
  @IsDayOrInstant()
  not_before?: string;
}
