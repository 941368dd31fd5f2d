import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { manyDatasets } from '../../apps/catalog-api/test/many-datasets.ts';
import { freePort } from '../../scripts/free-port.ts';
import { prepareCluster, type Cluster } from '../../scripts/postgres/cluster.ts';
import { databaseUrl, spawnServer, stopServer, untilReady } from '../../scripts/postgres/server.ts';
import { httpCall, type HttpAnswer } from '../support/http-call.ts';
import { buildServices, migrate, ServiceProcess } from '../support/service-process.ts';
import { SmallDisk } from '../support/small-disk.ts';

const startMs = 180_000;
const key = 'a global key that is long enough for tests';
/** The time in milliseconds within which every request must be answered while the database fails. */
const promptMs = 10_000;
const reads = ['/api/partners', '/api/datasets', '/api/datasets?limit=10', '/api/projects', '/health/ready'];

describe('a catalog whose database has a full disk', () => {
  let disk: SmallDisk;
  let cluster: Cluster;
  let port: number;
  let url: string;
  let postgres: ChildProcess;
  let catalog: ServiceProcess;

  const startPostgres = async (): Promise<void> => {
    const parameters = { max_wal_size: '64MB', min_wal_size: '32MB' };
    postgres = spawnServer(cluster, { port, logFile: join(disk.root, 'postgres.log'), parameters });
    await untilReady(postgres, url);
  };
  const settings = (): Record<string, string> => ({ DATABASE_URL: url, GLOBAL_API_KEY: key, LOG_LEVEL: 'warn' });
  const execute = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const call = async (method: string, path: string, body?: unknown): Promise<HttpAnswer> => {
    const answer = httpCall(catalog.port, method, path, {
      key,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return Promise.race([
      answer,
      pause(promptMs, undefined, { ref: false }).then(() => Promise.reject(new Error(`${method} ${path} hangs`))),
    ]);
  };
  const write = (name: string): Promise<HttpAnswer> =>
    call('POST', '/api/partners', { external_id: name, name, acronym: '' });
  const importMany = (items: number): Promise<HttpAnswer> =>
    call('POST', '/api/import/partners', {
      items: Array.from({ length: items }, (_, at) => ({
        ...{ external_id: `MANY-${String(at)}`, acronym: '' },
        name: `${'a long name '.repeat(30)}${String(at)}`,
      })),
    });
  const reasonOf = ({ json }: HttpAnswer): unknown => (json as { more?: { reason?: unknown } }).more?.reason;

  beforeAll(async () => {
    await buildServices();
    disk = await SmallDisk.make(320);
    cluster = await prepareCluster(join(disk.root, 'postgres'));
    port = await freePort();
    url = databaseUrl(cluster, port, 'postgres');
    await startPostgres();
    migrate(settings());
    await execute(manyDatasets(3_000));
    await execute(`SELECT setval(pg_get_serial_sequence('partners', 'id'), 1000)`);
    catalog = await ServiceProcess.start('catalog-api/dist/main.js', settings());
  }, startMs);

  afterEach(() => disk.empty());

  afterAll(async () => {
    await catalog.end('SIGKILL');
    await stopServer(postgres);
    await rm(cluster.place, { recursive: true });
    await disk.remove();
  }, startMs);

  it('should answer reads, refuse writes with the reason, and accept writes when the disk has free space', async () => {
    await disk.fill();
    const refused = await importMany(2_000);
    expect([refused.status, refused.headers['retry-after'], reasonOf(refused)]).toEqual([503, '30', 'disk_full']);
    expect(refused.body).toContain('The database has a full disk');
    for (const path of reads) expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
    await disk.empty();
    expect((await importMany(2_000)).status).toBe(200);
  });

  it('should refuse a list with the reason when its sort requires disk space', async () => {
    await execute(`ALTER DATABASE postgres SET work_mem = '64kB'; ALTER DATABASE postgres SET enable_indexscan = off;
      ALTER DATABASE postgres SET enable_indexonlyscan = off; ALTER DATABASE postgres SET enable_bitmapscan = off`);
    const sorting = await ServiceProcess.start('catalog-api/dist/main.js', settings());
    try {
      await disk.fill();
      const refused = await httpCall(sorting.port, 'GET', '/api/datasets', { key });
      expect([refused.status, reasonOf(refused)]).toEqual([503, 'disk_full']);
      await disk.empty();
      expect((await httpCall(sorting.port, 'GET', '/api/datasets', { key })).status).toBe(200);
    } finally {
      await disk.empty();
      await sorting.end('SIGKILL');
      await execute('ALTER DATABASE postgres RESET ALL');
    }
  });

  it('should answer each request at once when the full disk ends the database, and recover with the database', async () => {
    await disk.fill();
    const flood = `DO $$ BEGIN FOR turn IN 1..400 LOOP
      PERFORM pg_logical_emit_message(true, 'x', repeat(md5(random()::text), 30000)); END LOOP; END $$`;
    await expect(execute(flood)).rejects.toThrow();
    while (postgres.exitCode === null) {
      // A list that was being sent is cut off.
      for (const path of reads) {
        const status = await call('GET', path).then((answer) => answer.status, String);
        expect([200, 503, 'Error: aborted']).toContain(status);
      }
    }
    for (const path of reads) expect([path, (await call('GET', path)).status]).toEqual([path, 503]);
    expect((await write('LOST')).status).toBe(503);
    await disk.empty();
    await startPostgres();
    expect((await write('KEPT')).status).toBe(201);
    for (const path of reads) expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
  });

  it('should answer 503 to a read when the database is halted, and recover when it continues', async () => {
    const halted = await backendsOf(url);
    for (const pid of halted) process.kill(pid, 'SIGSTOP');
    process.kill(postgres.pid ?? 0, 'SIGSTOP');
    try {
      const answers = await Promise.all(
        ['/api/partners', '/api/datasets'].map((path) => httpCall(catalog.port, 'GET', path, { key })),
      );
      expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    } finally {
      process.kill(postgres.pid ?? 0, 'SIGCONT');
      for (const pid of halted) process.kill(pid, 'SIGCONT');
    }
    expect((await call('GET', '/api/partners')).status).toBe(200);
  });
});

/** Returns the ids of the processes that serve the connections to a database. */
async function backendsOf(url: string): Promise<number[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}
