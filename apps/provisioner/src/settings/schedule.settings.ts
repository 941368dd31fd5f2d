import { isCron, parseBytes, parseNumber, Setting } from '@rdc/settings';
import { IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { SourceAndStorageSettings } from './source-and-storage.settings.js';

/** The rule for a cron pattern, worded to follow the name of a field. */
export const cronRule = 'must be five cron fields, e.g. "0 2 * * *" for every night at two (UTC)';

/** The repeated tasks: importing the diff and verifying stored datasets. */
export abstract class ScheduleSettings extends SourceAndStorageSettings {
  @Setting({
    description:
      'Times at which every ready dataset and submission in the diff is imported, as five cron fields in UTC, e.g. `0 2 * * *`. A schedule set through the HTTP interface takes precedence.',
    defaultText: 'never',
  })
  @IsOptional()
  @ValidateBy({ name: 'isCron', validator: { validate: isCron, defaultMessage: () => `IMPORT_CRON ${cronRule}` } })
  IMPORT_CRON?: string;

  @Setting({
    description:
      'Period, in days, in which every imported dataset is verified once: its files are read and compared with the recorded checksums. The verifications are spread evenly over the period.',
    defaultText: 'never',
    parse: parseNumber,
  })
  @IsOptional()
  @IsInt({ message: 'FIXITY_DAYS must be a whole number of days from 1 to 3650' })
  @Min(1)
  @Max(3650)
  FIXITY_DAYS?: number;

  @Setting({
    description:
      'Age, in days, at which the files of a withdrawn dataset are removed permanently. The record of the withdrawal stays. By default, files are removed only on request.',
    defaultText: 'never',
    parse: parseNumber,
  })
  @IsOptional()
  @IsInt({ message: 'PURGE_WITHDRAWN_DAYS must be a whole number of days from 1 to 36500' })
  @Min(1)
  @Max(36_500)
  PURGE_WITHDRAWN_DAYS?: number;

  @Setting({
    description: 'Maximum rate, in bytes per second, at which one worker reads files to verify them, e.g. `50M`.',
    defaultText: 'no limit',
    parse: parseBytes,
  })
  @IsOptional()
  @IsInt({ message: 'FIXITY_RATE_LIMIT must be a number of bytes per second, such as 50M' })
  @Min(1)
  FIXITY_RATE_LIMIT?: number;
}
