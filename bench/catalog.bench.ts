import { pairwise, type Benchmark, type BenchmarkOptions, type Measured } from './benchmark.ts';
import { withCatalog, type CatalogStage } from './catalog-stage.ts';
import { compareUnderLoad, roundsOf } from './compare.ts';
import type { Load, LoadResult } from './load.ts';
import { manyTerms, termQueries } from './many-terms.ts';

/** Datasets of a full run. Each has 2 declarations with 3 conditions each, and one of every other part. */
const fullSize = 10_000;

const address = (port: number, path: string): string => `http://127.0.0.1:${String(port)}${path}`;

/** Reads an answer to its end. @returns megabytes per second */
async function throughput(url: string, key: string): Promise<number> {
  const begun = performance.now();
  const response = await fetch(url, { headers: { 'X-API-Key': key, 'Accept-Encoding': 'identity' } });
  const { byteLength } = await response.arrayBuffer();
  return byteLength / 1e3 / (performance.now() - begun);
}

function listThroughput(options: BenchmarkOptions): Promise<Measured> {
  return withCatalog(options.quick ? fullSize / 10 : fullSize, async ({ port, barePort, globalKey }) => {
    const ours = (): Promise<number> => throughput(address(port, '/api/datasets'), globalKey);
    const bare = (): Promise<number> => throughput(address(barePort, '/copy'), globalKey);
    await pairwise(3, ours, bare);
    return pairwise(options.quick ? 10 : 20, ours, bare);
  });
}

/** Every list, with the keys for which the catalog reads the most rows before the first byte. */
const listsByKey = [
  ...['datasets', 'projects', 'contracts', 'partners', 'cohorts'].flatMap((list) =>
    (['globalKey', 'userKey', 'endpointKey'] as const).map((key) => [list, key] as const),
  ),
  ['users', 'globalKey'] as const,
];

/** Returns the longest time until the first byte over all lists and keys. Each answer is read to its end. */
function firstByte(options: BenchmarkOptions): Promise<Measured> {
  const limitMs = 50;
  return withCatalog(options.quick ? fullSize / 10 : fullSize, async (stage) => {
    const wait = async (list: string, key: string): Promise<number> => {
      const begun = performance.now();
      const { body } = await fetch(address(stage.port, `/api/${list}`), { headers: { 'X-API-Key': key } });
      const reader = body?.getReader();
      await reader?.read();
      const waited = performance.now() - begun;
      while (!(await reader?.read())?.done);
      return waited;
    };
    const limit = (): Promise<number> => Promise.resolve(limitMs);
    let worst: Measured = { ours: 0, baseline: limitMs, ratios: [] };
    for (const [list, key] of listsByKey) {
      const measured = await pairwise(roundsOf(options), () => wait(list, stage[key]), limit);
      if (measured.ours > worst.ours) worst = measured;
    }
    return worst;
  });
}

async function memoryGrowth({ quick }: BenchmarkOptions): Promise<Measured> {
  const limitMb = 64;
  const [few, many] = quick ? [100, 10_000] : [1_000, 100_000];
  const before = await withCatalog(few, (stage) => peakWhileReading(stage, 100));
  const growth = (await withCatalog(many, (stage) => peakWhileReading(stage, 5))) - before;
  return { ours: growth, baseline: limitMb, ratios: [growth / limitMb] };
}

/** Returns the peak memory of the catalog, in MB, while the whole list is read several times. */
async function peakWhileReading({ port, globalKey, residentMb }: CatalogStage, times: number): Promise<number> {
  let peak = 0;
  for (let time = 0; time < times; time += 1) {
    const { body } = await fetch(address(port, '/api/datasets'), { headers: { 'X-API-Key': globalKey } });
    const reader = body?.getReader();
    for (let chunk = 0; !(await reader?.read())?.done; chunk += 1) {
      if (chunk % 200 === 0) peak = Math.max(peak, residentMb());
    }
  }
  return peak;
}

async function unchangedList(options: BenchmarkOptions): Promise<Measured> {
  return withCatalog(1000, async ({ port, barePort, globalKey }) => {
    const headers = { 'X-API-Key': globalKey };
    const tagOf = async (url: string): Promise<string> => {
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      return response.headers.get('etag') ?? '';
    };
    const load = async (at: number, path: string): Promise<Omit<Load, 'connections' | 'seconds'>> => ({
      ...{ port: at, paths: [path], status: 304 },
      headers: { ...headers, 'If-None-Match': await tagOf(address(at, path)) },
    });
    return compareUnderLoad(options, await load(port, '/api/datasets'), await load(barePort, '/datasets'));
  });
}

function oneProject(options: BenchmarkOptions): Promise<Measured> {
  return withCatalog(1000, ({ port, barePort, userKey }) =>
    compareUnderLoad(
      options,
      { port, paths: ['/api/projects/900'], headers: { 'X-API-Key': userKey }, status: 200 },
      { port: barePort, paths: ['/projects/900/for/900'], status: 200 },
    ),
  );
}

function termSearch(options: BenchmarkOptions, figure?: (result: LoadResult) => number): Promise<Measured> {
  const paths = (prefix: string): string[] => termQueries.map((query) => `${prefix}${query}`);
  return withCatalog(1, async ({ port, barePort, execute }) => {
    await execute(manyTerms(74_000));
    return compareUnderLoad(
      options,
      { port, paths: paths('/api/termsearch/gene?page=1&search='), status: 200 },
      { port: barePort, paths: paths('/terms?search='), status: 200 },
      figure,
    );
  });
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'catalog: list of datasets',
    unit: 'MB/s',
    compares: 'throughput, ours / node:http piping COPY of the same documents',
    goal: 0.7,
    measure: listThroughput,
  },
  {
    name: 'catalog: first byte of any list',
    unit: 'ms',
    compares: 'ms until the first byte, for the slowest list and kind of key / the allowed 50 ms',
    goal: 1,
    atMost: true,
    measure: firstByte,
  },
  {
    name: 'catalog: memory, 100 times the list',
    unit: 'MB',
    compares: 'growth of resident memory from 1,000 to 100,000 datasets / the allowed 64 MB',
    goal: 1,
    atMost: true,
    measure: memoryGrowth,
  },
  {
    name: 'catalog: 304 of a list',
    unit: 'req/s',
    compares: 'requests per second, ours with the global key / bare Fastify with the same SQL',
    goal: 0.5,
    measure: unchangedList,
  },
  {
    name: 'catalog: one project, user key',
    unit: 'req/s',
    compares: 'requests per second, ours / bare Fastify with the same SQL and no key',
    goal: 0.5,
    measure: oneProject,
  },
  {
    name: 'catalog: term search',
    unit: 'req/s',
    compares: 'requests per second, ours / bare Fastify with the same SQL',
    goal: 0.5,
    measure: (options) => termSearch(options),
  },
  {
    name: 'catalog: term search, p99',
    unit: 'ms',
    compares: '99th percentile, ours / bare Fastify with the same SQL',
    goal: 5,
    atMost: true,
    measure: (options) => termSearch(options, ({ p99Ms }) => p99Ms),
  },
];

export default benchmarks;
