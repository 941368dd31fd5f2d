import { jest } from '@jest/globals';
import { Queue, createPostgresBackend } from 'bullmq';
import { join } from 'node:path';
import type { ImportAllPlan } from '../src/schedule/import-all-plan.js';
import { ImportAll } from '../src/schedule/import-all.js';
import { ImportSchedule } from '../src/schedule/import-schedule.js';
import type { ScheduleResponse } from '../src/schedule/schedule.dto.js';
import { PosixRecords } from '../src/storage/posix/posix-records.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { StoredRequestLog } from '../src/request-log/stored-request-log.js';
import { provisioner } from './support/command-line.js';
import { onEachQueue } from './support/queues.js';
import { TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';

jest.setTimeout(120_000);

/** A pattern with seconds, which the queue accepts and the interface refuses. */
const everySecond = '* * * * * *';

onEachQueue('the schedule with its queue', (queue) => {
  let system: TestSystem;

  const start = async (): Promise<void> => {
    await queue.redis?.flush();
    system = await TestSystem.create({ ...queue.settings, IMPORT_CRON: '0 2 * * *' });
    await system.deliver('SUB-1', { 'README.md': 'About', 'DS-1/a': '1', 'DS-2/a': '1', 'DS-9/a': '1', 'a b/c': '1' });
    await system.deliver('SUB-2', { 'DS-3/SHA256SUMS': `${'0'.repeat(64)}  gone\n`, 'DS-9/a': '1' });
    await system.startServer();
  };

  const schedule = async (): Promise<ScheduleResponse> =>
    JSON.parse((await system.get('/imports/schedule')).text) as never;
  const put = (cron: unknown) => system.call('PUT', '/imports/schedule', { cron });
  const runNow = async (): Promise<ScheduleResponse['last_run']> => {
    const { status, headers, body } = await system.post('/imports/run');
    expect([status, headers.get('location')]).toEqual([202, '/imports/schedule']);
    await until(async () => (await schedule()).last_run?.id === body.id);
    return (await schedule()).last_run;
  };

  const plan = async (): Promise<ImportAllPlan> => {
    const { status, text } = await system.post('/imports/run?dry_run=true');
    expect(status).toBe(200);
    return JSON.parse(text) as ImportAllPlan;
  };

  describe('without a worker', () => {
    beforeAll(start);
    afterAll(() => system.stop());

    it('should follow the setting unless another schedule is stored', async () => {
      expect(await schedule()).toMatchObject({ cron: '0 2 * * *', origin: 'setting', last_run: null });
      expect((await schedule()).next_run_at).toMatch(/T02:00:00\.000Z$/);
      expect((await put('30 3 * * 0')).status).toBe(200);
      expect(await schedule()).toMatchObject({ cron: '30 3 * * 0', origin: 'stored', changed_by: 'global key' });
      await put(null);
      expect(await schedule()).toMatchObject({ cron: null, origin: 'stored', next_run_at: null });
      expect((await put('default')).text).toBe((await system.get('/imports/schedule')).text);
      expect(await schedule()).toMatchObject({ cron: '0 2 * * *', origin: 'setting' });
    });

    it.each([
      '',
      'nightly',
      '61 * * * *',
      '* * *',
      everySecond,
      '* * * * * * *',
      '0 0 31 4,6 *',
      'H 2 * * *',
      7,
      undefined,
    ])('should be refused when the pattern is %j', async (cron) => {
      expect(await put(cron)).toMatchObject({ status: 400, body: { more: { fields: [{ field: 'cron' }] } } });
    });

    it('should be refused when the caller is not an importer', async () => {
      for (const [method, path] of [
        ['GET', '/imports/schedule'],
        ['PUT', '/imports/schedule'],
        ['POST', '/imports/run'],
      ] as const) {
        expect((await system.call(method, path, undefined, { 'X-API-Key': '' })).status).toBe(403);
      }
      expect((await system.get('/imports/run')).status).toBe(405);
    });

    it('should plan a run and queue nothing when dry_run is set', async () => {
      const expected = { dry_run: true, datasets: 3, submissions: 2, fits: true, bytes: 5 + 1 + 1 + 71, files: 4 };
      expect(await plan()).toMatchObject({ ...expected, skipped: { 'id.invalid': 1, 'id.duplicate': 2 } });
      await system.deliver('SUB-0', { 'DS-0/a': '1' });
      await until(async () => !('not_scanned' in (await plan()).skipped));
      expect(await plan()).toMatchObject({ datasets: 4, submissions: 3, files: 5, bytes: 79 });
      await removeTree(join(system.source, 'SUB-0'));
      expect((await system.get('/imports')).body.items).toEqual([]);
      expect(await system.post('/imports/run?dry_run=perhaps')).toMatchObject({
        status: 400,
        body: { more: { fields: [{ field: 'dry_run' }] } },
      });
    });
  });

  describe('with workers', () => {
    beforeEach(start);
    afterEach(() => system.stop());

    it('should import the diff once and report the skipped places when a run is requested', async () => {
      const not_before = new Date(Date.now() + 3_600_000).toISOString().replace(/\..*/, '');
      const later = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1', not_before })).body;
      expect((await system.post('/imports/run')).status).toBe(202);
      expect((await system.get('/imports')).body.items).toHaveLength(1);
      expect(await plan()).toMatchObject({ datasets: 2, submissions: 2, skipped: { importing: 1 } });
      await system.startWorker();
      await until(async () => (await schedule()).last_run !== null);
      const skipped = { 'id.invalid': 1, 'id.duplicate': 2, importing: 1 };
      const first = { trigger: 'request', requested_by: 'global key', queued: 4, skipped, error: null };
      expect((await schedule()).last_run).toMatchObject(first);
      const queued = (await system.get('/imports')).body.items.filter(({ id }) => id !== later.id);
      const ended = await Promise.all(queued.map(({ id }) => system.ended(id)));
      expect(ended.map(({ kind, subject, state }) => `${kind} ${subject} ${state}`).sort()).toEqual([
        'dataset DS-2 finished',
        'dataset DS-3 rejected',
        'submission SUB-1 finished',
        'submission SUB-2 finished',
      ]);
      await provisioner(system.environment, 'withdraw', 'DS-2', '--reason', 'a test');
      const more = { ...skipped, 'source.rejected': 1, withdrawn: 1 };
      expect(await runNow()).toMatchObject({ queued: 0, skipped: more });
      expect(await plan()).toMatchObject({ datasets: 0, skipped: more });
      expect(await system.get(`/imports/${later.id}`)).toMatchObject({ body: { state: 'queued', attempt: 1 } });
    });

    it('should complete a published subject when its import failed', async () => {
      await system.startWorker();
      await runNow();
      await Promise.all((await system.get('/imports')).body.items.map(({ id }) => system.ended(id)));
      const log = new StoredRequestLog(new PosixRecords(system.storage));
      const { id } = (await system.get('/submissions/srcsys/SUB-2')).body.import ?? { id: '' };
      const ending = (await log.find(id))?.ending;
      if (!ending) throw new Error('SUB-2 has not been imported');
      await log.end({ ...ending, attempt: 2, state: 'failed' });
      expect(await plan()).toMatchObject({ submissions: 1, bytes: 0 });
      expect((await runNow())?.queued).toBe(1);
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 3 });
      expect(await runNow()).toMatchObject({ queued: 0 });
    });

    it('should run once for each scheduled time when there are several workers', async () => {
      const workers = await Promise.all([system.startWorker(), system.startWorker()]);
      let runs = 0;
      for (const worker of workers) {
        const all = worker.get(ImportAll, { strict: false });
        const run = all.run.bind(all);
        all.run = (...args) => {
          runs += 1;
          return run(...args);
        };
      }
      await system.deliver('SUB-3', { 'DS-4/a': '1' });
      await workers[0].get(ImportSchedule, { strict: false }).set(everySecond, 'a test');
      await until(async () => (await system.get('/datasets/srcsys/DS-4')).body.state === 'imported');
      await until(() => runs >= 4);
      expect((await schedule()).last_run).toMatchObject({ trigger: 'schedule', requested_by: 'schedule' });
      await system.stopWorkers();
      const queue = queueOf(system.environment['QUEUE_URL'] ?? '');
      expect(await queue.getJobSchedulersCount()).toBe(1);
      expect(runs).toBeLessThanOrEqual((await queue.getJobScheduler('import-all'))?.iterationCount ?? 0);
      await queue.close();
    });

    if (queue.backend === 'Redis') {
      it('should be restored when the queue was emptied', async () => {
        const worker = await system.startWorker();
        await worker.get(ImportSchedule, { strict: false }).set(everySecond, 'a test');
        await until(async () => (await schedule()).last_run?.trigger === 'schedule');
        await queue.redis?.kill();
        await queue.redis?.restart(true);
        await system.deliver('SUB-4', { 'DS-5/a': '1' });
        await until(async () => (await system.get('/datasets/srcsys/DS-5')).body.state === 'imported', 60_000);
      });
    }
  });
});

function queueOf(url: string): Queue {
  if (url.startsWith('redis')) return new Queue('schedule', { connection: { url } });
  return new Queue('schedule', { connection: { connectionString: url } }, createPostgresBackend) as never;
}
