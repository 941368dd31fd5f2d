import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, Length, registerDecorator, ValidateIf } from 'class-validator';
import { holders, type HeldIn } from '../inventory/held-places.js';
import { IsFlag, ListQuery } from '../http/list.query.js';
import { submissionStates, type SubmissionState } from './submission.response.js';

/** The filter of a list of submissions. */
export class SearchSubmissions extends ListQuery {
  @ApiPropertyOptional({ enum: submissionStates, description: 'Lists only submissions in this state.' })
  @IsOptional()
  @IsIn(submissionStates)
  state?: SubmissionState;

  @ApiPropertyOptional({ enum: holders, description: 'Lists only submissions that exactly these systems contain.' })
  @IsOptional()
  @IsIn(holders)
  held_in?: HeldIn;
}

/** The filter of the diff of submissions. */
export class SearchSubmissionDiff extends SearchSubmissions {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'If `true`, the list also contains imported submissions with datasets that are not imported.',
  })
  @IsOptional()
  @IsFlag()
  incomplete?: 'true' | 'false';
}

const maxDatasets = 10_000;

function isDatasetChoice(value: unknown): boolean {
  if (value === 'none' || value === 'all') return true;
  return (
    Array.isArray(value) && value.length <= maxDatasets && value.every((id) => typeof id === 'string' && id !== '')
  );
}

function IsDatasetChoice(): PropertyDecorator {
  return (prototype, property) => {
    registerDecorator({
      name: 'isDatasetChoice',
      target: prototype.constructor,
      propertyName: String(property),
      validator: {
        validate: isDatasetChoice,
        defaultMessage: () => 'datasets must be "none", "all" or a list of dataset ids',
      },
    });
  };
}

/** A request to import a submission. */
export class ImportSubmission {
  @ApiPropertyOptional({
    example: 'SUB-2026-001',
    description: 'Reference of the submission. Required unless `submission` is given.',
  })
  @ValidateIf(({ submission }: ImportSubmission) => submission === undefined)
  @Length(1, 255, { message: 'reference must be a text of 1 to 255 characters' })
  reference?: string;

  @ApiPropertyOptional({ description: 'Alternative name of the property `reference`.' })
  @IsOptional()
  @Length(1, 255, { message: 'submission must be a text of 1 to 255 characters' })
  submission?: string;

  @ApiPropertyOptional({
    description: 'Datasets of the submission to import with it: `none`, `all` or a list of ids.',
    default: 'none',
    oneOf: [{ enum: ['none', 'all'] }, { type: 'array', items: { type: 'string' } }],
  })
  @IsOptional()
  @IsDatasetChoice()
  datasets?: 'none' | 'all' | string[];

  @ApiPropertyOptional({
    description: 'Whether selected datasets are imported although they were withdrawn. If not `true`, each is refused.',
  })
  @IsOptional()
  @IsBoolean()
  reimport_of_withdrawn?: boolean;
}
