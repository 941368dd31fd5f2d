import { minSessionSecretLength } from '@rdc/auth';
import { loadSettings, parseBoolean, parseBytes, parseNumber, Setting, type Environment } from '@rdc/settings';
import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, Matches, Max, Min, MinLength } from 'class-validator';
import { availableParallelism } from 'node:os';
import { CatalogClientSettings } from './catalog-client.settings.js';
import { parseRates, type RateChange } from './rate-timetable.js';
import { entryPolicies, symlinkPolicies, type EntryPolicy, type SymlinkPolicy } from './delivery-policies.js';

/** What an operator tells the provisioner and its worker through their environment (provisioner interface, section 3). */
export class ProvisionerSettings extends CatalogClientSettings {
  /** The worker answers `/health` at its port. */
  override PORT = 3001;

  @Setting({
    description: `Signs sessions; the same as the catalog's, ${String(minSessionSecretLength)} characters or more. Unset: keys only.`,
    secret: true,
  })
  @IsOptional()
  @MinLength(minSessionSecretLength)
  SESSION_SECRET?: string;

  @Setting({ description: '`key`: callers send a key. `none`: whoever reaches the port may do everything.' })
  @IsIn(['key', 'none'])
  PROVISIONER_AUTH: 'key' | 'none' = 'key';

  @Setting({ description: '`true` confirms that `PROVISIONER_AUTH=none` is meant in production.', parse: parseBoolean })
  @IsBoolean()
  PROVISIONER_AUTH_NONE_CONFIRMED = false;

  @Setting({
    description: 'The queue, by its scheme: `redis://`, `rediss://` or `postgres://` (a database of its own).',
    secret: true,
  })
  @Matches(/^(rediss?|postgres(ql)?):\/\//, {
    message: 'QUEUE_URL must be set and begin with redis://, rediss:// or postgres://',
  })
  QUEUE_URL!: string;

  @Setting({ description: 'Imports that one worker runs at once.', parse: parseNumber })
  @IsInt()
  @Min(1)
  @Max(64)
  IMPORT_CONCURRENCY = 2;

  @Setting({
    description:
      'Threads that copy in one worker, 1 to 64; from or to a bucket, twice as many files are on their way. More than cores only help where the storage is far away.',
    defaultText: 'the number of cores, at least 2',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(64)
  COPY_THREADS = Math.max(2, availableParallelism());

  @Setting({
    description:
      'The most that one worker copies, in bytes a second: `50M`, or a timetable of local times, `08:00 50M 19:00 off`.',
    defaultText: 'no limit',
    parse: (text) => parseRates(text) ?? text,
  })
  @IsArray({ message: 'COPY_RATE_LIMIT must be a rate such as 50M or a timetable such as 08:00 50M 19:00 off' })
  COPY_RATE_LIMIT: readonly RateChange[] = [];

  @Setting({
    description:
      'How a copy is checked: `inline`, by hashing what is read and written; `readback`, also by reading it from the storage again (below 1 MiB maybe from memory).',
  })
  @IsIn(['inline', 'readback'])
  VERIFY: 'inline' | 'readback' = 'inline';

  @Setting({
    description:
      'What becomes of a symbolic link in a delivery: `refuse` the dataset, `skip` the link, or `keep` it where it stays inside the dataset; a bucket keeps none.',
  })
  @IsIn(symlinkPolicies)
  SYMLINKS: SymlinkPolicy = 'refuse';

  @Setting({
    description:
      'A file with a hard link outside of its dataset: `refuse` the dataset, `warn` in lists and plans, or `accept`. A bucket has no links.',
  })
  @IsIn(entryPolicies)
  HARD_LINKS: EntryPolicy = 'warn';

  @Setting({
    description:
      'A name with control characters, marks of direction or blanks without width: `refuse` the dataset, `warn` in lists and plans, or `accept`.',
  })
  @IsIn(entryPolicies)
  NAMES: EntryPolicy = 'warn';

  @Setting({
    description:
      'Memory for the files that the descriptors of one dataset declare, to `1G`: `512M` holds about 2 million with SHA-256. A dataset that declares more is refused.',
    defaultText: '`512M`',
    parse: parseBytes,
  })
  @IsInt({ message: 'DECLARED_MEMORY must be a size such as 512M' })
  @Min(1024 ** 2)
  @Max(1024 ** 3)
  DECLARED_MEMORY = 512 * 1024 ** 2;

  /** Rules between settings, and those a decorator cannot say. */
  check(): string[] {
    const problems = [...this.checkEdge(), ...this.checkPlaces(), ...this.checkCatalog()];
    if (this.PROVISIONER_AUTH === 'none' && this.isProduction && !this.PROVISIONER_AUTH_NONE_CONFIRMED) {
      problems.push('PROVISIONER_AUTH=none in production must be confirmed with PROVISIONER_AUTH_NONE_CONFIRMED=true');
    }
    return problems;
  }
}

/** The settings of this process. @throws InvalidSettingsError */
export function provisionerSettings(environment: Environment = process.env): ProvisionerSettings {
  return loadSettings(ProvisionerSettings, environment);
}
