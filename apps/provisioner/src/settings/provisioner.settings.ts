import { minSessionSecretLength } from '@rdc/auth';
import {
  loadSettings,
  parseBoolean,
  parseBytes,
  parseList,
  parseNumber,
  Setting,
  type Environment,
} from '@rdc/settings';
import { IsArray, IsBoolean, IsIn, IsInt, IsOptional, Matches, Max, Min, MinLength } from 'class-validator';
import { availableParallelism } from 'node:os';
import { CatalogClientSettings } from './catalog-client.settings.js';
import { manifestAlgorithms, type ManifestAlgorithm } from './manifest-algorithms.js';
import { parseRates, type RateChange } from './rate-timetable.js';
import {
  checksumPolicies,
  entryPolicies,
  symlinkPolicies,
  type ChecksumPolicy,
  type EntryPolicy,
  type SymlinkPolicy,
} from './delivery-policies.js';

/** The settings of the provisioner's server, worker and command line, read from the environment. */
export class ProvisionerSettings extends CatalogClientSettings {
  /** The server and the worker both listen: the worker serves `/health` and `/metrics`. */
  override PORT = 3001;

  @Setting({
    description: `Secret with which the catalog signs session tokens, ${String(minSessionSecretLength)} characters or more. The catalog and the provisioner need the same value. If unset, sessions are refused and only keys are accepted.`,
    secret: true,
  })
  @IsOptional()
  @MinLength(minSessionSecretLength)
  SESSION_SECRET?: string;

  @Setting({
    description:
      'Authentication of callers. `key`: each request needs a key or a session. `none`: every request is accepted with full permissions, so access to the port must be restricted by other means.',
  })
  @IsIn(['key', 'none'])
  PROVISIONER_AUTH: 'key' | 'none' = 'key';

  @Setting({
    description:
      'Confirms `PROVISIONER_AUTH=none` when `NODE_ENV` is `production`. If `false`, the service refuses to start with that combination.',
    parse: parseBoolean,
  })
  @IsBoolean()
  PROVISIONER_AUTH_NONE_CONFIRMED = false;

  @Setting({
    description:
      'URL of the queue of imports. The scheme selects the backend: `redis://` or `rediss://` for Redis, `postgres://` for Postgres. The Postgres backend needs a database that contains nothing else.',
    secret: true,
  })
  @Matches(/^(rediss?|postgres(ql)?):\/\//, {
    message: 'QUEUE_URL must be set and begin with redis://, rediss:// or postgres://',
  })
  QUEUE_URL!: string;

  @Setting({
    description: 'Number of imports that one worker runs at the same time, from 1 to 64.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(64)
  IMPORT_CONCURRENCY = 2;

  @Setting({
    description:
      'Number of threads that copy files in one worker, from 1 to 64. When the source or the storage is a bucket, twice as many files are transferred at the same time. More threads than cores help only if the storage has a high latency.',
    defaultText: 'the number of cores, at least 2',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(64)
  COPY_THREADS = Math.max(2, availableParallelism());

  @Setting({
    description:
      'Maximum rate, in bytes per second, at which one worker copies files, e.g. `50M`. A timetable sets a rate for each part of the day: in `08:00 50M 19:00 off`, the rate is limited from 08:00 to 19:00 local time.',
    defaultText: 'no limit',
    parse: (text) => parseRates(text) ?? text,
  })
  @IsArray({ message: 'COPY_RATE_LIMIT must be a rate such as 50M or a timetable such as 08:00 50M 19:00 off' })
  COPY_RATE_LIMIT: readonly RateChange[] = [];

  @Setting({
    description:
      'Maximum rate, in bytes per second or as a timetable like `COPY_RATE_LIMIT`, at which all workers together copy files. The workers that copy have equal shares. After a worker starts or stops copying, the shares change within ten seconds.',
    defaultText: 'no limit',
    parse: (text) => parseRates(text) ?? text,
  })
  @IsArray({ message: 'COPY_RATE_LIMIT_TOTAL must be a rate such as 50M or a timetable such as 08:00 50M 19:00 off' })
  COPY_RATE_LIMIT_TOTAL: readonly RateChange[] = [];

  @Setting({
    description:
      'Maximum size, in bytes, of a shard, e.g. `64G`. A shard is a part of a dataset that one worker copies. If a dataset has more than `SHARD_BYTES` bytes or `SHARD_FILES` files, it is cut into shards, and all workers copy them at the same time. A file is never divided. `0`: one worker copies each dataset. A storage in a bucket has no shards.',
    parse: parseBytes,
  })
  @IsInt({ message: 'SHARD_BYTES must be a size such as 64G, or 0' })
  @Min(0)
  SHARD_BYTES = 0;

  @Setting({
    description: 'Maximum number of files of a shard, at least 1. Without effect if `SHARD_BYTES` is `0`.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  SHARD_FILES = 50_000;

  @Setting({
    description:
      'Verification of copied files. `inline`: checksums are computed while the files are copied. `readback`: in addition, each file is read from the storage after the copy and compared; files below 1 MiB may be read from the cache of the operating system.',
  })
  @IsIn(['inline', 'readback'])
  VERIFY: 'inline' | 'readback' = 'inline';

  @Setting({
    description:
      'Treatment of symbolic links in a delivery. `refuse`: the dataset is rejected. `skip`: the links are not imported. `keep`: links to targets inside the dataset are imported, and a dataset with other links is rejected. A storage in a bucket cannot store links.',
  })
  @IsIn(symlinkPolicies)
  SYMLINKS: SymlinkPolicy = 'refuse';

  @Setting({
    description:
      'Treatment of files that have a hard link outside their dataset. `refuse`: the dataset is rejected. `warn`: the files are imported, and lists and plans show a warning. `accept`: the files are imported. A source in a bucket has no hard links.',
  })
  @IsIn(entryPolicies)
  HARD_LINKS: EntryPolicy = 'warn';

  @Setting({
    description:
      'Treatment of file and folder names with control characters, directional marks or zero-width spaces. `refuse`: the dataset is rejected. `warn`: the files are imported, and lists and plans show a warning. `accept`: the files are imported.',
  })
  @IsIn(entryPolicies)
  NAMES: EntryPolicy = 'warn';

  @Setting({
    description:
      'Treatment of datasets whose delivery declares no checksum that can be compared. `refuse`: the dataset is rejected. `warn`: the dataset is imported, and lists and plans show a warning. `off`: the dataset is imported.',
  })
  @IsIn(checksumPolicies)
  REQUIRE_CHECKSUMS: ChecksumPolicy = 'off';

  @Setting({
    description:
      'Beginnings of submission references, separated by commas. Datasets of these submissions are rejected if they declare no checksum, whatever `REQUIRE_CHECKSUMS` is.',
    parse: parseList,
  })
  REQUIRE_CHECKSUMS_OF: string[] = [];

  @Setting({
    description:
      'Algorithms of the manifests that an import writes, separated by commas: `md5`, `sha1`, `sha256` or `sha512`. Each dataset has a file `.import/manifest-<algorithm>.txt` for each, which `md5sum -c` and its siblings read. SHA-256 is always written.',
    parse: parseList,
  })
  @IsIn(manifestAlgorithms, {
    each: true,
    message: 'MANIFEST_ALGORITHMS must be a list of md5, sha1, sha256 and sha512',
  })
  MANIFEST_ALGORITHMS: ManifestAlgorithm[] = ['sha256'];

  @Setting({
    description:
      'Memory, in bytes, for the file list that the descriptors of one dataset declare, from `1M` to `1G`. `128M` holds about 500,000 files with SHA-256 checksums. A longer list is moved to a temporary file in the folder `TMPDIR`, which needs about 150 bytes for each file.',
    defaultText: '`128M`',
    parse: parseBytes,
  })
  @IsInt({ message: 'DECLARED_MEMORY must be a size from 1M to 1G, such as 128M' })
  @Min(1024 ** 2)
  @Max(1024 ** 3)
  DECLARED_MEMORY = 128 * 1024 ** 2;

  /** The algorithms of the manifests that are written in addition to SHA-256, each once. */
  get furtherManifests(): readonly ManifestAlgorithm[] {
    return manifestAlgorithms.filter((each) => each !== 'sha256' && this.MANIFEST_ALGORITHMS.includes(each));
  }

  /** Returns the violated rules that no decorator can express. */
  check(): string[] {
    const problems = [...this.checkEdge(), ...this.checkSourceAndStorage(), ...this.checkCatalog()];
    if (this.PROVISIONER_AUTH === 'none' && this.isProduction && !this.PROVISIONER_AUTH_NONE_CONFIRMED) {
      problems.push('PROVISIONER_AUTH=none in production must be confirmed with PROVISIONER_AUTH_NONE_CONFIRMED=true');
    }
    return problems;
  }
}

/** The settings classes of the provisioner. */
export const settingsClasses = [ProvisionerSettings] as const;

/** Returns the settings of this process. @throws InvalidSettingsError if any setting is invalid */
export function provisionerSettings(environment: Environment = process.env): ProvisionerSettings {
  return loadSettings(settingsClasses, environment).get(ProvisionerSettings);
}
