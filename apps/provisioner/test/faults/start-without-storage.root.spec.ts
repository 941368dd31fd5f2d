import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.js';
import { SmallDisk } from '../../../../test/support/small-disk.js';
import { globalKey, TestSystem } from '../support/system.js';
import { until } from '../../../../test/support/until.ts';

const pausedLine = 'not accepting imports until the storage is writable and passes its probe';
const resumedLine = 'the storage is writable and its guarantees hold; accepting imports';

interface Fault {
  readonly begin: (disk: SmallDisk) => Promise<void>;
  readonly end: (disk: SmallDisk) => Promise<void>;
  /** Status and reason of a refused request. */
  readonly refusal: readonly [number, string];
  /** Part of the readiness of the storage. */
  readonly readiness: string;
}

const faults: readonly (readonly [string, Fault])[] = [
  [
    'is full',
    {
      begin: (disk) => disk.fill(),
      end: (disk) => disk.empty(),
      refusal: [507, 'disk_full'],
      readiness: 'cannot be written: it is full (ENOSPC)',
    },
  ],
  [
    'is read-only',
    {
      begin: (disk) => disk.remount('ro'),
      end: (disk) => disk.remount('rw'),
      refusal: [503, 'read_only'],
      readiness: 'cannot be written: it is read-only (EROFS)',
    },
  ],
];

describe('a provisioner that starts during a fault of its storage', () => {
  let system: TestSystem;
  let disk: SmallDisk;
  let settings: Record<string, string>;
  let service: ServiceProcess | undefined;
  let worker: ServiceProcess | undefined;

  beforeAll(() => buildServices());

  beforeEach(async () => {
    system = await TestSystem.create();
    disk = await SmallDisk.make(24);
    settings = { ...system.environment, STORAGE_URL: pathToFileURL(disk.root).href, LOG_LEVEL: 'info' };
    await system.deliver('SUB-1', { 'DS-1/file': 'content' });
  });

  afterEach(async () => {
    await worker?.end('SIGKILL');
    await service?.end('SIGKILL');
    await disk.remove();
    await system.stop();
  });

  async function start(): Promise<[ServiceProcess, ServiceProcess]> {
    service = await ServiceProcess.launch('provisioner/dist/main.js', settings);
    worker = await ServiceProcess.launch('provisioner/dist/worker.js', settings);
    system.url = service.url;
    return [service, worker];
  }

  describe.each([
    ['that is empty', false],
    ['that has an import', true],
  ])('with a storage %s', (_, isUsed) => {
    it.each(faults)(
      'should answer reads and refuse imports when the storage %s, and import when the fault ends',
      async (...[, fault]) => {
        if (isUsed) await importOnce();
        await fault.begin(disk);
        const [server, copier] = await start();
        for (const each of [server, copier]) await until(async () => (await readiness(each)).includes(fault.readiness));
        // The first scan has to find out that the storage cannot hold its lease.
        await until(async () => /^200 .*"status":"degraded"/.test(await readiness(server)));
        expect(await readiness(copier)).toMatch(/^503 .*"status":"not_ready"/);
        for (const path of ['/imports', '/datasets/srcsys', '/datasets/srcsys/diff', '/imports/schedule']) {
          expect([path, (await system.get(path)).status]).toEqual([path, 200]);
        }
        const refused = await requestImport('DS-1');
        const [status, reason] = fault.refusal;
        expect(refused).toMatchObject({ status, body: { more: { reason } } });
        // The storage is probed every few seconds, and further failures do not log a line.
        await pause(6_000);
        await readiness(copier);
        for (const each of [server, copier]) expect(countOf(pausedLine, each.output)).toBe(1);

        await fault.end(disk);
        for (const each of [server, copier]) await until(() => each.isReady());
        await until(async () => (await readiness(server)).includes('"status":"ready"'));
        const { id } = (await requestImport('DS-1')).body;
        expect(await system.ended(id)).toMatchObject({ state: 'finished' });
        for (const each of [server, copier]) expect(countOf(resumedLine, each.output)).toBe(1);
      },
    );
  });

  const requestImport = (dataset_id: string) => system.post('/datasets/srcsys/import', { dataset_id });

  /** Imports another dataset with processes that have ended when this resolves. */
  async function importOnce(): Promise<void> {
    await system.deliver('SUB-0', { 'DS-0/file': 'content' });
    const [server, copier] = await start();
    for (const each of [server, copier]) await each.untilReady();
    const { id } = (await requestImport('DS-0')).body;
    expect(await system.ended(id)).toMatchObject({ state: 'finished' });
    await copier.end();
    await server.end();
  }
});

/** Returns the status and the text of the readiness, both empty if the process does not respond. */
async function readiness(process: ServiceProcess): Promise<string> {
  if (process.hasEnded) throw new Error(`The process ended:\n${process.output}`);
  const headers = { 'X-API-Key': globalKey };
  const answer = await fetch(`${process.url}/health/ready`, { headers }).catch(() => undefined);
  return answer ? `${String(answer.status)} ${await answer.text()}` : '';
}

function countOf(line: string, output: string): number {
  return output.split(line).length - 1;
}
