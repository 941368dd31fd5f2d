import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { dayOrInstantSchema, isDayOrInstant, utcOf } from '@rdc/http';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, Length, MaxLength, ValidateBy } from 'class-validator';
import { holders, type HeldIn } from '../inventory/held-places.js';
import { IsFlag, ListQuery } from '../http/list.query.js';
import { IsWholeNumber } from '../http/whole-number.decorator.js';
import { manifestAlgorithms, type ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import { datasetStates, type DatasetState } from './dataset.response.js';

/** The longest reason of a withdrawal or a purge, in characters. */
export const maxReasonLength = 1_000;

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

/** The least age of an import, in days, from which its delivery is listed as removable. */
export const defaultRemovableDays = 30;

/** The filter of the deliveries that can be deleted. */
export class SearchRemovable extends ListQuery {
  @ApiPropertyOptional({
    default: defaultRemovableDays,
    description: 'Lists only imports that are at least this number of days old.',
  })
  @IsOptional()
  @IsWholeNumber(0, 36_500)
  older_than_days?: number;
}

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

  @ApiPropertyOptional({ enum: holders, description: 'Lists only datasets that exactly these systems contain.' })
  @IsOptional()
  @IsIn(holders)
  held_in?: HeldIn;
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

/** The filter of the datasets whose deliveries can be deleted. */
export class SearchRemovableDatasets extends SearchRemovable {
  @ApiPropertyOptional({ description: 'Lists only the datasets of the submission with this reference.' })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  submission?: string;
}

/** The filter of the withdrawn datasets. */
export class SearchWithdrawn extends ListQuery {
  @ApiPropertyOptional({
    description: 'Lists only datasets that were imported from the submission with this reference.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  submission?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: '`true`: lists only datasets whose files were purged. `false`: only datasets whose files are stored.',
  })
  @IsOptional()
  @IsFlag()
  purged?: 'true' | 'false';
}

const IsReason = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    Length(1, maxReasonLength, { message: `reason must be a text of 1 to ${String(maxReasonLength)} characters` }),
  );

/** A request to withdraw a dataset. */
export class WithdrawDataset {
  @ApiProperty({ maxLength: maxReasonLength, description: 'Reason of the withdrawal, which is kept permanently.' })
  @IsReason()
  reason!: string;
}

/** A request to remove the files of a withdrawn dataset. */
export class PurgeDataset {
  @ApiProperty({
    example: 'DS-001',
    description: 'Id of the dataset again, as a confirmation: a purge cannot be undone.',
  })
  @IsString()
  confirm!: string;

  @ApiProperty({ maxLength: maxReasonLength, description: 'Reason of the purge, which is kept permanently.' })
  @IsReason()
  reason!: string;

  @ApiPropertyOptional({
    description: 'Import id of the withdrawal; required if the files of several withdrawals of the dataset are stored.',
  })
  @IsOptional()
  @IsString()
  withdrawal?: string;
}

/** A request to import a dataset. */
export class ImportDataset {
  @ApiProperty({ example: 'DS-001' })
  @Length(1, 255, { message: 'dataset_id must be a text of 1 to 255 characters' })
  dataset_id!: string;

  @ApiPropertyOptional({
    description: 'Position in the queue: 1 is first. An import without a priority runs before all imports with one.',
  })
  @IsOptional()
  @IsWholeNumber(1, 1000)
  priority?: number;

  @ApiPropertyOptional({
    ...dayOrInstantSchema,
    description: 'Earliest start of the import: a day or an instant in ISO 8601. Without an offset, the time is UTC.',
  })
  @IsOptional()
  @IsDayOrInstant()
  not_before?: string;

  @ApiPropertyOptional({
    description: 'Whether the dataset is imported although it was withdrawn. If not `true`, the answer is 409.',
  })
  @IsOptional()
  @IsBoolean()
  reimport_of_withdrawn?: boolean;
}
