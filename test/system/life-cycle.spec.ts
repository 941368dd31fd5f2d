import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasRedis, TestRedis } from '../../apps/provisioner/test/support/redis.ts';
import { globalKey, TestSystem } from '../../apps/provisioner/test/support/system.ts';
import { until } from '../support/until.ts';
import { freePort } from '../../scripts/free-port.ts';
import { prepareCluster, type Cluster } from '../../scripts/postgres/cluster.ts';
import { databaseUrl, spawnServer, stopServer, untilReady } from '../../scripts/postgres/server.ts';
import { Balancer } from '../support/balancer.ts';
import { buildServices, migrate, ServiceProcess } from '../support/service-process.ts';
import { SteadyLoad, type Outcome } from '../support/steady-load.ts';

const slowMs = 180_000;
const headers = { 'X-API-Key': globalKey };

beforeAll(() => buildServices(), slowMs);

/** Returns the statuses and their numbers for the message of a failed test. */
function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  return counts;
}

/** Every third request writes, the others read. */
function readAndWrite(url: string): (turn: number) => Promise<Response> {
  return (turn) =>
    turn % 3 > 0
      ? fetch(`${url}/api/partners`, { headers })
      : fetch(`${url}/api/partners`, {
          ...{ method: 'POST', headers },
          body: JSON.stringify({ external_id: `P-${String(turn)}`, name: `Partner ${String(turn)}`, acronym: '' }),
        });
}

/** The accessions of partners whose creation was answered with success. */
const created = (outcomes: readonly Outcome[]): string[] =>
  outcomes
    .filter(({ status }) => status === 201)
    .map(({ body }) => (JSON.parse(body) as { external_id: string }).external_id);

async function partnersAt(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/partners`, { headers });
  return ((await answer.json()) as { results: { external_id: string }[] }).results.map((each) => each.external_id);
}

describe('a catalog', () => {
  let folder: string;
  let cluster: Cluster;
  let postgres: ChildProcess;
  let port: number;
  let settings: Record<string, string>;
  let processes: ServiceProcess[] = [];

  const startPostgres = async (): Promise<void> => {
    postgres = spawnServer(cluster, { port, logFile: join(folder, 'postgres.log') });
    await untilReady(postgres, settings['DATABASE_URL'] ?? '');
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-catalog-life-'));
    cluster = await prepareCluster(join(folder, 'postgres'));
    port = await freePort();
    settings = {
      ...{ DATABASE_URL: databaseUrl(cluster, port, 'postgres'), GLOBAL_API_KEY: globalKey, LOG_LEVEL: 'warn' },
      SHUTDOWN_DELAY: '1',
    };
    await startPostgres();
    migrate(settings);
  }, slowMs);

  afterEach(async () => {
    await Promise.all(processes.map((each) => each.end('SIGKILL')));
    processes = [];
  });

  afterAll(async () => {
    await stopServer(postgres);
    await rm(cluster.place, { recursive: true });
    await rm(folder, { recursive: true });
  }, slowMs);

  it(
    'should be replaced process by process under load without a failed request',
    async () => {
      const start = (): Promise<ServiceProcess> => ServiceProcess.start('catalog-api/dist/main.js', settings);
      processes = await Promise.all([start(), start()]);
      const balancer = await Balancer.start(() => processes);
      const load = new SteadyLoad(8, readAndWrite(balancer.url));
      await load.answered(50);
      for (const index of [0, 1]) {
        const former = processes[index];
        expect(await former?.end('SIGTERM')).toBe(0);
        processes[index] = await start();
        await load.answered(50);
      }
      const outcomes = await load.stop();
      expect(Object.keys(tally(outcomes)).sort()).toEqual(['200', '201']);
      const known = new Set(await partnersAt(balancer.url));
      expect(created(outcomes).filter((each) => !known.has(each))).toEqual([]);
      balancer.stop();
    },
    slowMs,
  );

  it(
    'should lose no record when Postgres is restarted under load, and recover without an operator',
    async () => {
      const catalog = await ServiceProcess.start('catalog-api/dist/main.js', settings);
      processes = [catalog];
      const before = new Set(await partnersAt(catalog.url));
      const load = new SteadyLoad(4, (turn) => readAndWrite(catalog.url)(turn + 1_000_000));
      await load.answered(30);
      await stopServer(postgres);
      await until(async () => !(await catalog.isReady()));
      const readiness = (await (await fetch(`${catalog.url}/health/ready`)).json()) as { dependencies: object };
      expect(Object.keys(readiness.dependencies)).toEqual(['postgres', 'migrations']);
      expect((await fetch(`${catalog.url}/health/live`)).status).toBe(200);
      await startPostgres();
      await catalog.untilReady();
      await load.answered(30);
      const outcomes = await load.stop();
      // While Postgres is down, callers receive 503. An answer in progress breaks off instead of ending early.
      expect(Object.keys(tally(outcomes)).filter((status) => !['0', '200', '201', '503'].includes(status))).toEqual([]);
      const known = new Set(await partnersAt(catalog.url));
      expect(created(outcomes).filter((each) => !known.has(each))).toEqual([]);
      expect([...before].filter((each) => !known.has(each))).toEqual([]);
    },
    slowMs,
  );

  it(
    'should wait at its start until Postgres is available, and log that it waits',
    async () => {
      await stopServer(postgres);
      const catalog = await ServiceProcess.launch('catalog-api/dist/main.js', settings);
      processes = [catalog];
      await until(() => catalog.output.includes('waiting for Postgres at DATABASE_URL'));
      await startPostgres();
      await catalog.untilReady();
    },
    slowMs,
  );

  it(
    'should end on SIGTERM while it waits, like process 1 of a container',
    async () => {
      const DATABASE_URL = `postgres://catalog@127.0.0.1:${String(await freePort())}/none`;
      const environment = { ...settings, DATABASE_URL, START_TIMEOUT: '180' };
      const catalog = await ServiceProcess.launch('catalog-api/dist/main.js', environment);
      processes = [catalog];
      await until(() => catalog.output.includes('waiting for Postgres at DATABASE_URL'), slowMs);
      expect(await catalog.end('SIGTERM')).toBe(143);
    },
    slowMs,
  );

  it('should end with a message when Postgres is not available in time', async () => {
    const DATABASE_URL = `postgres://catalog@127.0.0.1:${String(await freePort())}/none`;
    const environment = { ...settings, DATABASE_URL, START_TIMEOUT: '0' };
    const catalog = await ServiceProcess.launch('catalog-api/dist/main.js', environment);
    expect(await catalog.ended()).toBe(1);
    expect(catalog.output).toMatch(/^Postgres at DATABASE_URL does not answer: connect ECONNREFUSED/m);
  });
});

// Without redis-server, this suite is skipped. Continuous integration counts a skipped suite as failed.
(hasRedis ? describe : describe.skip)('a provisioner with Redis', () => {
  it(
    'should wait for Redis, and finish every accepted import when Redis loses its data',
    async () => {
      const redis = await TestRedis.start();
      await redis.kill();
      const system = await TestSystem.create({ QUEUE_URL: redis.url, LOG_LEVEL: 'warn', GLOBAL_API_KEY: globalKey });
      const ids = Array.from({ length: 30 }, (_, index) => `DS-${String(index)}`);
      const files = ids.map((id, index) => [`${id}/data.bin`, Buffer.alloc(300_000, String(index))] as const);
      await system.deliver('SUB-1', Object.fromEntries(files));
      const { HOST, PORT, ...given } = system.environment;
      expect([HOST, PORT]).toEqual(['127.0.0.1', '0']);
      const environment = { ...given, START_TIMEOUT: '180' }; // each service waits for the other
      const api = await ServiceProcess.launch('provisioner/dist/main.js', environment);
      const worker = await ServiceProcess.launch('provisioner/dist/worker.js', {
        ...environment,
        IMPORT_CONCURRENCY: '1',
      });
      try {
        const waits = ({ output }: ServiceProcess): boolean => output.includes('waiting for QUEUE_URL');
        await until(() => waits(api) && waits(worker), slowMs);
        await redis.restart(false);
        await Promise.all([api.untilReady(), worker.untilReady()]);
        system.url = api.url;
        let turn = 0;
        const load = new SteadyLoad(2, () => {
          const dataset_id = ids[turn++ % ids.length];
          return fetch(`${api.url}/datasets/srcsys/import`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ dataset_id }),
          });
        });
        await load.answered(5);
        await redis.kill();
        await until(async () => !(await api.isReady()));
        await redis.restart(true);
        await Promise.all([api.untilReady(), worker.untilReady()]);
        await load.answered(ids.length);
        const outcomes = await load.stop();
        expect(Object.keys(tally(outcomes)).filter((status) => !['200', '202', '503'].includes(status))).toEqual([]);
        const accepted = outcomes.filter(({ status }) => status === 202);
        const imports = new Set(accepted.map(({ body }) => (JSON.parse(body) as { id: string }).id));
        expect(imports.size).toBeGreaterThan(4);
        for (const id of imports) {
          await until(async () => (await system.get(`/imports/${id}`)).body.state === 'finished', 120_000);
        }
      } finally {
        await Promise.all([api.end(), worker.end()]);
        await redis.stop();
        await system.stop();
      }
    },
    slowMs,
  );
});
