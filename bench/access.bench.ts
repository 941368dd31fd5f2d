import { compareUnderLoad, roundsOf } from './compare.ts';
import { pairwise, type Benchmark, type BenchmarkOptions, type Measured } from './benchmark.ts';
import { withCatalog, type CatalogStage } from './catalog-stage.ts';
import { answers, ended, startChild } from './child-server.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../scripts/free-port.ts';

const scimToken = 'token-of-the-benchmarks';
const pageSize = 500;

/** A real SCIM service with a number of accounts, and a catalog that reads from it. */
async function withAccounts<T>(
  accounts: number,
  work: (stage: CatalogStage, scimUrl: string) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const port = await freePort();
  const script = new URL('many-accounts.ts', import.meta.url).pathname;
  const scim = startChild(script, [String(port), scimToken, String(accounts)]);
  const url = `http://127.0.0.1:${String(port)}/scim/v2`;
  try {
    await answers(port, scim);
    const provider = { IDP_PROVIDER: 'scim', SCIM_URL: url, SCIM_TOKEN: scimToken };
    const begin = async (stage: CatalogStage): Promise<T> => {
      await stage.execute(`SELECT setval(pg_get_serial_sequence('users', 'id'), max(id)) FROM users`);
      return work(stage, url);
    };
    return await withCatalog(1, begin, { ...provider, ...settings });
  } finally {
    await ended(scim);
  }
}

/** Fetches every page, one after the other, and discards it. @returns the time in seconds */
async function fetchPages(scimUrl: string, accounts: number): Promise<number> {
  const begun = performance.now();
  for (let first = 1; first <= accounts; first += pageSize) {
    const url = `${scimUrl}/Users?startIndex=${String(first)}&count=${String(pageSize)}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${scimToken}` } });
    await response.arrayBuffer();
  }
  return (performance.now() - begun) / 1000;
}

/** Runs a synchronisation. @returns its time in seconds @throws Error if its report differs from the expected one */
async function synchronise({ port, globalKey }: CatalogStage, expected: object): Promise<number> {
  const begun = performance.now();
  const url = `http://127.0.0.1:${String(port)}/api/idp/force`;
  const response = await fetch(url, { method: 'POST', headers: { 'X-API-Key': globalKey } });
  const report = (await response.json()) as Record<string, unknown>;
  const seconds = (performance.now() - begun) / 1000;
  for (const [name, value] of Object.entries(expected)) {
    if (report[name] !== value)
      throw new Error(`The synchronisation returned an unexpected report: ${JSON.stringify(report)}`);
  }
  return seconds;
}

function unchangedAccounts({ quick }: BenchmarkOptions): Promise<Measured> {
  const accounts = quick ? 5_000 : 50_000;
  return withAccounts(accounts, async (stage, scimUrl) => {
    await synchronise(stage, { created: accounts });
    const ours = (): Promise<number> => synchronise(stage, { unchanged: accounts });
    return pairwise(3, ours, () => fetchPages(scimUrl, accounts));
  });
}

function newAccounts({ quick }: BenchmarkOptions): Promise<Measured> {
  const accounts = quick ? 5_000 : 50_000;
  return withAccounts(accounts, async (stage, scimUrl) => {
    const ours = async (): Promise<number> => {
      await stage.execute(`DELETE FROM users WHERE subject LIKE 'many-%'`);
      return synchronise(stage, { created: accounts });
    };
    return pairwise(3, ours, () => fetchPages(scimUrl, accounts));
  });
}

async function memoryGrowth({ quick }: BenchmarkOptions): Promise<Measured> {
  const limitMb = 8;
  const [few, many] = quick ? [1_000, 10_000] : [1_000, 100_000];
  const before = await withAccounts(few, (stage) => peakWhileSynchronising(stage, few));
  const growth = (await withAccounts(many, (stage) => peakWhileSynchronising(stage, many))) - before;
  return { ours: growth, baseline: limitMb, ratios: [growth / limitMb] };
}

/** Synchronises all accounts, first new, then unchanged. @returns the catalog's peak of live memory in MB */
async function peakWhileSynchronising(stage: CatalogStage, accounts: number): Promise<number> {
  const times = accounts > 1_000 ? 1 : 20; // a small run is repeated, so that memory is sampled in every phase
  const betweenLooksMs = 100;
  let [peak, done] = [0, false];
  const look = async (): Promise<void> => {
    while (!done) {
      peak = Math.max(peak, await stage.liveMb());
      await pause(betweenLooksMs);
    }
  };
  const work = async (): Promise<void> => {
    await synchronise(stage, { created: accounts });
    for (let time = 0; time < times; time += 1) await synchronise(stage, { unchanged: accounts });
  };
  const worked = work().finally(() => {
    done = true;
  });
  await Promise.all([worked, look()]);
  return peak;
}

const holder = 'holder-of-a-thousand';

/** Creates 1,000 accesses of one person, all to exposed datasets. */
const thousandAccesses = `
  INSERT INTO accesses (dataset_id, application, subject, status)
    SELECT id, 1, '${holder}', 'active' FROM datasets WHERE id > 1000;
  ANALYZE`;

function manyPermissions(options: BenchmarkOptions): Promise<Measured> {
  return withCatalog(1000, async ({ port, barePort, globalKey, execute }) => {
    await execute(thousandAccesses);
    return compareUnderLoad(
      options,
      { port, paths: [`/api/permissions/${holder}`], headers: { 'X-API-Key': globalKey }, status: 200 },
      { port: barePort, paths: [`/permissions/${holder}`], status: 200 },
    );
  });
}

const webhookOn = { ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '127.0.0.1' };

/** Posts grants on each connection, each for another person. @returns posts per second */
async function postGrants(port: number, people: () => string | null): Promise<number> {
  const connections = 8;
  const begun = performance.now();
  let posted = 0;
  const post = async (): Promise<void> => {
    for (let user = people(); user !== null; user = people()) {
      const body = JSON.stringify([{ application: 1, resource: 'RDC_1001', user, mail: null, end: null }]);
      const headers = { 'Content-Type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${String(port)}/api/accessreq`, { method: 'POST', body, headers });
      if (response.status !== 200) throw new Error(`POST /api/accessreq failed with status ${String(response.status)}`);
      await response.arrayBuffer();
      posted += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, post));
  return (posted * 1000) / (performance.now() - begun);
}

/** Posts rounds of grants to one process. @throws Error if a grant was not stored as an access */
async function measureWebhook(stage: CatalogStage, options: BenchmarkOptions): Promise<Measured> {
  const neededPerSecond = 200;
  const postsPerRound = options.quick ? 400 : 2_000;
  let person = 0;
  const round = (): Promise<number> => {
    const last = person + postsPerRound;
    return postGrants(stage.port, () => (person < last ? `many-${String(person++).padStart(6, '0')}` : null));
  };
  const measured = await pairwise(roundsOf(options), round, () => Promise.resolve(neededPerSecond));
  const kept = await stage.count(`SELECT count(*) FROM accesses WHERE application = 1`);
  if (kept !== person)
    throw new Error(`${String(person)} grants were accepted, but ${String(kept)} accesses are stored.`);
  return measured;
}

/** Grants an access with an end, then reads permissions without a pause. @returns the first ms after the end without it */
async function endOneAccess({ port, globalKey }: CatalogStage, person: string): Promise<number> {
  const end = new Date(Date.now() + 300);
  const origin = `http://127.0.0.1:${String(port)}`;
  const body = JSON.stringify([{ application: 1, resource: 'RDC_1001', user: person, mail: null, end }]);
  await fetch(`${origin}/api/accessreq`, { method: 'POST', body });
  for (;;) {
    const begun = Date.now();
    const response = await fetch(`${origin}/api/permissions/${person}`, { headers: { 'X-API-Key': globalKey } });
    const permitted = ((await response.json()) as string[]).length > 0;
    const now = Date.now();
    if (permitted && begun > end.getTime()) throw new Error('A request after the end of an access was permitted.');
    if (!permitted && now < end.getTime()) throw new Error('An access ended before its end.');
    if (!permitted) return now - end.getTime();
  }
}

function measureEnds(stage: CatalogStage, { quick }: BenchmarkOptions): Promise<Measured> {
  const allowedMs = 50;
  let person = 0;
  const end = (): Promise<number> => endOneAccess(stage, `many-${String(person++).padStart(6, '0')}`);
  return pairwise(quick ? 20 : 200, end, () => Promise.resolve(allowedMs));
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'access: permissions of 1,000 accesses',
    unit: 'req/s',
    compares: 'requests per second, ours with the global key / bare Fastify with the same SQL and no key',
    goal: 0.5,
    measure: manyPermissions,
  },
  {
    name: 'access: webhook',
    unit: 'posts/s',
    compares: 'posts per second on one process, each for another person / the required 200; none may be lost',
    goal: 1,
    measure: (options) => withCatalog(1, (stage) => measureWebhook(stage, options), webhookOn),
  },
  {
    name: 'access: webhook, people looked up',
    unit: 'posts/s',
    compares: 'posts per second, each person looked up at a SCIM service / the required 200; none may be lost',
    goal: 1,
    measure: (options) => withAccounts(20_000, (stage) => measureWebhook(stage, options), webhookOn),
  },
  {
    name: 'access: end',
    unit: 'ms',
    compares: 'milliseconds from the end of an access to the first answer without it / the allowed 50; none earlier',
    goal: 1,
    atMost: true,
    measure: (options) => withCatalog(1, (stage) => measureEnds(stage, options), webhookOn),
  },
  {
    name: 'access: unchanged accounts',
    unit: 's',
    compares: 'seconds to synchronise 50,000 unchanged accounts / to fetch the same pages from a SCIM service',
    goal: 1.3,
    atMost: true,
    measure: unchangedAccounts,
  },
  {
    name: 'access: new accounts',
    unit: 's',
    compares: 'seconds to synchronise 50,000 new accounts / to fetch the same pages from a SCIM service',
    goal: 2,
    atMost: true,
    measure: newAccounts,
  },
  {
    name: 'access: memory, 100 times the accounts',
    unit: 'MB',
    compares: 'growth of live memory, garbage collected, from 1,000 to 100,000 accounts / the allowed 8 MB',
    goal: 1,
    atMost: true,
    measure: memoryGrowth,
  },
];

export default benchmarks;
