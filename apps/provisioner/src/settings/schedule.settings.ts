import { parseBytes, parseNumber, Setting } from '@rdc/settings';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { SourceAndStorageSettings } from './place.settings.js';
import { cronRule, IsCron } from './cron.js';

/** What is done again and again. */
export abstract class ScheduleSettings extends SourceAndStorageSettings {
  @Setting({
    description:
      'When everything in the diff is imported, as five cron fields in UTC, e.g. `0 2 * * *`; until somebody sets another time over HTTP.',
    defaultText: 'never',
  })
  @IsOptional()
  @IsCron({ message: `IMPORT_CRON ${cronRule}` })
  IMPORT_CRON?: string;

  @Setting({
    description: 'Days within which every imported dataset is read again and compared, spread evenly.',
    defaultText: 'never',
    parse: parseNumber,
  })
  @IsOptional()
  @IsInt({ message: 'FIXITY_DAYS must be a whole number of days' })
  @Min(1)
  @Max(3650)
  FIXITY_DAYS?: number;

  @Setting({
    description: 'Bytes a second that one worker reads at most to verify, e.g. `50M`.',
    defaultText: 'no limit',
    parse: parseBytes,
  })
  @IsOptional()
  @IsInt({ message: 'FIXITY_RATE_LIMIT must be a size such as 50M' })
  @Min(1)
  FIXITY_RATE_LIMIT?: number;
}
