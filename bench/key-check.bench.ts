import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import type * as Database from '../apps/catalog-api/src/platform/database/data-source.ts';
import type * as Entities from '../apps/catalog-api/src/app/entities.ts';
import type * as Directory from '../apps/catalog-api/src/people/keys/catalog-key-directory.ts';
import type * as ImportedKeys from '../apps/catalog-api/src/people/keys/imported-endpoint-keys.ts';
import type * as Secrets from '../apps/catalog-api/src/platform/secrets/secrets.module.ts';
import type * as Audit from '../apps/catalog-api/src/publishing/audit/audit-trail.ts';
import type * as Keys from '../apps/catalog-api/src/people/keys/keys.module.ts';
import type * as Settings from '../apps/catalog-api/src/app/catalog.settings.ts';
import type * as DatabaseSettingsFile from '../apps/catalog-api/src/platform/database/database.settings.ts';
import type * as SecretsSettingsFile from '../apps/catalog-api/src/platform/secrets/secrets.settings.ts';
import type * as HttpSettingsFile from '../apps/catalog-api/src/platform/settings/http.settings.ts';
import { median, type Benchmark, type BenchmarkOptions, type Measured } from './benchmark.ts';
import { withCatalog } from './catalog-stage.ts';

/** The modules of the built catalog that check keys. */
interface KeyDirectory {
  identify(key: string): Promise<{ kind: string }>;
}

const limitMs = 1;

/** Returns the processor time for one check of the most expensive kind of key, valid or unknown, in milliseconds. */
function keyCheck({ quick }: BenchmarkOptions): Promise<Measured> {
  return withCatalog(1, ({ environment, globalKey, userKey, endpointKey, serviceKey }) =>
    withKeyDirectory(environment, async (directory) => {
      const kinds = [globalKey, userKey, endpointKey, serviceKey, randomBytes(32).toString('hex')];
      await Promise.all(kinds.map((key) => cpuOf(directory, key, 2000)));
      const rounds: number[] = [];
      for (let round = 0; round < (quick ? 3 : 7); round += 1) {
        const costs: number[] = [];
        for (const key of kinds) costs.push(await cpuOf(directory, key, 1000));
        rounds.push(Math.max(...costs));
      }
      return { ours: median(rounds), baseline: limitMs, ratios: rounds.map((cost) => cost / limitMs) };
    }),
  );
}

async function cpuOf(directory: KeyDirectory, key: string, times: number): Promise<number> {
  const begun = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await directory.identify(key);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000 / times;
}

async function withKeyDirectory<T>(
  environment: Readonly<Record<string, string | undefined>>,
  work: (directory: KeyDirectory) => Promise<T>,
): Promise<T> {
  const { dataSourceOptions, entities, keyHasherOf, CatalogKeyDirectory, ImportedEndpointKeys, ...classes } =
    await built();
  const settings = classes.catalogSettings(environment);
  const dataSource = await new DataSource(
    dataSourceOptions(settings.get(classes.DatabaseSettings), entities),
  ).initialize();
  const secrets = settings.get(classes.SecretsSettings);
  const hasher = keyHasherOf(secrets);
  const imported = new ImportedEndpointKeys(
    hasher,
    classes.accountSecretsOf(secrets),
    dataSource,
    new classes.AuditTrail(),
  );
  const directory = new CatalogKeyDirectory(settings.get(classes.HttpSettings), hasher, dataSource, imported);
  try {
    return await work(directory);
  } finally {
    await directory.onModuleDestroy();
    await dataSource.destroy();
  }
}

async function built() {
  const from = (path: string): Promise<unknown> =>
    import(new URL(`../apps/catalog-api/dist/${path}`, import.meta.url).href);
  return {
    ...((await from('app/catalog.settings.js')) as typeof Settings),
    ...((await from('platform/database/database.settings.js')) as typeof DatabaseSettingsFile),
    ...((await from('platform/secrets/secrets.settings.js')) as typeof SecretsSettingsFile),
    ...((await from('platform/settings/http.settings.js')) as typeof HttpSettingsFile),
    ...((await from('platform/database/data-source.js')) as typeof Database),
    ...((await from('app/entities.js')) as typeof Entities),
    ...((await from('people/keys/keys.module.js')) as typeof Keys),
    ...((await from('people/keys/catalog-key-directory.js')) as typeof Directory),
    ...((await from('people/keys/imported-endpoint-keys.js')) as typeof ImportedKeys),
    ...((await from('platform/secrets/secrets.module.js')) as typeof Secrets),
    ...((await from('publishing/audit/audit-trail.js')) as typeof Audit),
  };
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'catalog: key check',
    unit: 'ms CPU',
    compares: 'processor time for one check of the most expensive kind of key, valid or unknown / the allowed 1 ms',
    goal: 1,
    atMost: true,
    measure: keyCheck,
  },
];

export default benchmarks;
