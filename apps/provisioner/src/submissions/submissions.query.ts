import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Length, registerDecorator, ValidateIf } from 'class-validator';
import { IsFlag, ListQuery } from '../http/list.query.js';
import { submissionStates, type SubmissionState } from './submission.response.js';

/** Which submissions to list. */
export class SearchSubmissions extends ListQuery {
  @ApiPropertyOptional({ enum: submissionStates })
  @IsOptional()
  @IsIn(submissionStates)
  state?: SubmissionState;
}

/** Which submissions of the diff to list. */
export class SearchSubmissionDiff extends SearchSubmissions {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: '`true` adds those whose collection lacks datasets.',
  })
  @IsOptional()
  @IsFlag()
  incomplete?: 'true' | 'false';
}

const maxDatasets = 10_000;

function isChoice(value: unknown): boolean {
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
        validate: isChoice,
        defaultMessage: () => 'datasets must be "none", "all" or a list of dataset ids',
      },
    });
  };
}

/** What to import. */
export class ImportSubmission {
  @ApiPropertyOptional({ example: 'SUB-2026-001', description: 'Needed, unless `submission` names it.' })
  @ValidateIf(({ submission }: ImportSubmission) => submission === undefined)
  @Length(1, 255, { message: 'reference must be a text of 1 to 255 characters' })
  reference?: string;

  @ApiPropertyOptional({ description: 'Another name for `reference`.' })
  @IsOptional()
  @Length(1, 255, { message: 'submission must be a text of 1 to 255 characters' })
  submission?: string;

  @ApiPropertyOptional({
    description: 'Which of its datasets to import with it.',
    default: 'none',
    oneOf: [{ enum: ['none', 'all'] }, { type: 'array', items: { type: 'string' } }],
  })
  @IsOptional()
  @IsDatasetChoice()
  datasets?: 'none' | 'all' | string[];
}
