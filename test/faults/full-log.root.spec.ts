import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../support/until.ts';
import { buildServices, migrate, ServiceProcess, type Entry } from '../support/service-process.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const startMs = 180_000;
const globalKey = 'a global key that is long enough for tests';
const requests = 200;

/** Each program with a path that its log records, and the status of the answer. */
const programs: readonly (readonly [Entry, string, number])[] = [
  ['catalog-api/dist/main.js', '/api/partners', 200],
  ['provisioner/dist/main.js', '/imports', 200],
  ['provisioner/dist/worker.js', '/health/ready', 200],
];

describe('a service whose log cannot be written', () => {
  let folder: string;
  let databases: TestDatabase[];
  let settings: Record<string, string>;

  beforeAll(async () => {
    await buildServices();
    folder = await mkdtemp(join(tmpdir(), 'full-log-'));
    for (const name of ['source', 'storage']) await mkdir(join(folder, name));
    databases = [await createTestDatabase(), await createTestDatabase()];
    settings = {
      // Answers to probes are logged at this level.
      ...{ GLOBAL_API_KEY: globalKey, LOG_LEVEL: 'debug' },
      DATABASE_URL: databases[0]?.url ?? '',
      QUEUE_URL: databases[1]?.url ?? '',
      SOURCE_URL: pathToFileURL(join(folder, 'source')).href,
      STORAGE_URL: pathToFileURL(join(folder, 'storage')).href,
    };
    migrate(settings);
  }, startMs);

  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
    await rm(folder, { recursive: true });
  });

  it.each(programs)('should answer requests and end in time when the program is %s', async (program, path, status) => {
    const disk = await SmallDisk.make(4);
    const log = join(disk.root, 'service.log');
    const service = await ServiceProcess.startWithLog(program, settings, log);
    try {
      await disk.fill();
      for (let count = 0; count < requests; count += 1) expect(await statusOf(service, path)).toBe(status);
      await disk.empty();
      await until(async () => answersIn(await readFile(log, 'utf8')) >= requests);
      await disk.fill();
      for (let count = 0; count < requests; count += 1) expect(await statusOf(service, path)).toBe(status);
      expect(await service.end('SIGTERM')).toBe(0);
    } finally {
      await service.end('SIGKILL');
      await disk.remove();
    }
  });

  it('should report the number of lost lines when the log can be written again', async () => {
    const disk = await SmallDisk.make(4);
    const log = join(disk.root, 'service.log');
    const service = await ServiceProcess.startWithLog('catalog-api/dist/main.js', settings, log);
    try {
      await disk.fill();
      const asked = await flood(service, 240);
      await disk.empty();
      await until(async () => (await readFile(log, 'utf8')).includes('log lines lost'));
      const written = await readFile(log, 'utf8');
      const { lost, reason } = JSON.parse(
        written.split('\n').find((line) => line.includes('log lines lost')) ?? '',
      ) as {
        lost: number;
        reason: string;
      };
      expect(reason).toContain('ENOSPC');
      expect(answersIn(written) + lost).toBeGreaterThanOrEqual(asked);
    } finally {
      await service.end('SIGKILL');
      await disk.remove();
    }
  });

  it.each([
    [
      'reader has ended',
      (service: ServiceProcess): void => {
        service.closeOutput();
      },
    ],
    [
      'reader has halted',
      (service: ServiceProcess): void => {
        service.stopReading();
      },
    ],
  ] as const)('should answer when the log is a pipe whose %s', async (_, lose) => {
    const service = await ServiceProcess.start('catalog-api/dist/main.js', settings);
    try {
      lose(service);
      await flood(service, 40);
      expect(await statusOf(service, '/api/partners')).toBe(200);
    } finally {
      await service.end('SIGKILL');
    }
  });
});

/** Sends requests from 32 callers at once. 240 requests of each caller exceed the log buffer. @returns their number */
async function flood(service: ServiceProcess, each: number): Promise<number> {
  const callers = 32;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let count = 0; count < each; count += 1) await statusOf(service, '/health/live');
    }),
  );
  return callers * each;
}

const answersIn = (log: string): number => log.split('"answered"').length - 1;

/** Sends a request. @returns its status @throws if there is no response within five seconds */
async function statusOf(service: ServiceProcess, path: string): Promise<number> {
  const answer = await fetch(`${service.url}${path}`, {
    headers: { 'X-API-Key': globalKey },
    signal: AbortSignal.timeout(5_000),
  });
  await answer.arrayBuffer();
  return answer.status;
}
