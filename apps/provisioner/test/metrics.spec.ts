import { metricsAt, type Figures } from '../../../test/support/metrics.ts';
import { ImportSchedule } from '../src/schedule/import-schedule.js';
import { TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';
import { hasRedis, TestRedis } from './support/redis.js';

/** The backends of the queue, each on a separate server. */
const queues = [['Postgres', null] as const, ...(hasRedis || process.env['CI'] ? [['Redis', TestRedis] as const] : [])];

describe.each(queues)('GET /metrics of the provisioner with a queue on %s', (_name, kind) => {
  let redis: TestRedis | undefined;
  let system: TestSystem;

  beforeEach(async () => {
    redis = await kind?.start();
    system = await TestSystem.create(redis ? { QUEUE_URL: redis.url } : {});
    await system.startServer();
    await system.deliver('SUB-1', {
      'DS-1/a.txt': 'hello',
      'DS-1/b.txt': 'world!',
      'DS-2/x': 'x',
      'DS-2/md5sums.txt': `${'0'.repeat(32)}  x\n`,
    });
  });

  afterEach(async () => {
    await system.stop();
    await redis?.stop();
  });

  const requestImport = async (id: string): Promise<string> =>
    (await system.post('/datasets/srcsys/import', { dataset_id: id })).body.id;
  const ended = (figures: Figures, kind: string, result: string): number | undefined =>
    figures.get(`provisioner_imports_total{kind="${kind}",result="${result}"}`);

  it('should show the number and the waiting time of imports when no worker runs', async () => {
    expect((await metricsAt(system.url)).get('provisioner_queue_oldest_seconds')).toBe(0);
    await requestImport('DS-1');
    const figures = await metricsAt(system.url);
    expect(figures.get('provisioner_queue_jobs{state="waiting"}')).toBe(1);
    expect(figures.get('provisioner_queue_jobs{state="active"}')).toBe(0);
    expect(figures.get('provisioner_queue_jobs{state="delayed"}')).toBe(0);
    await until(async () => ((await metricsAt(system.url)).get('provisioner_queue_oldest_seconds') ?? 0) > 0);
  });

  it('should count the finished and the rejected imports of a worker', async () => {
    const workerUrl = await (await system.startWorker()).getUrl();
    await requestImport('DS-1');
    await until(async () => ended(await metricsAt(workerUrl), 'dataset', 'finished') === 1);
    const bytes = (await metricsAt(workerUrl)).get('provisioner_import_bytes_total');
    expect(bytes).toBe(11);
    await requestImport('DS-2');
    await until(async () => ended(await metricsAt(workerUrl), 'dataset', 'rejected') === 1);
    const figures = await metricsAt(workerUrl);
    expect(figures.get('provisioner_import_failures_total{code="checksum.mismatch"}')).toBe(1);
    // A batch with a file that differs from its declaration does not count.
    expect(figures.get('provisioner_import_files_total')).toBe(2);
    expect(figures.get('provisioner_import_duration_seconds_count{kind="dataset"}')).toBe(2);
    expect(figures.get('provisioner_imports_running')).toBe(0);
    expect(figures.get('provisioner_copy_bytes_per_second')).toBe(0);
  });

  it('should show the result of the last import of the diff when none is overdue', async () => {
    const lastRun = (outcome: string): string => `provisioner_schedule_last_run{outcome="${outcome}"}`;
    expect((await metricsAt(system.url)).has(lastRun('queued'))).toBe(false);
    await system.deliver('SUB-1', { 'no id/x': 'x' });
    await system.startWorker();
    await system.post('/imports/run');
    await until(async () => (await metricsAt(system.url)).has(lastRun('queued')));
    const figures = await metricsAt(system.url);
    const run = ['queued', 'skipped', 'failed'].map((outcome) => figures.get(lastRun(outcome)));
    expect(run).toEqual([3, 1, 0]); // queued: two datasets and the submission's documents; skipped: the invalid id
    expect(figures.get('provisioner_schedule_overdue_seconds')).toBe(0);
  });

  it('should show how long a scheduled import is overdue when no worker runs', async () => {
    const schedule = (await system.startWorker()).get(ImportSchedule, { strict: false });
    await system.stopWorkers();
    // The pattern matches every second. The HTTP interface refuses patterns with seconds.
    await schedule.set('* * * * * *', 'a test');
    await until(async () => ((await metricsAt(system.url)).get('provisioner_schedule_overdue_seconds') ?? 0) > 0);
  });

  it('should show the free space and the available dependencies', async () => {
    const figures = await metricsAt(system.url);
    expect(figures.get('provisioner_storage_free_bytes')).toBeGreaterThan(0);
    expect(
      ['storage', 'source', 'queue', 'scan'].map((name) => figures.get(`rdc_dependency_up{dependency="${name}"}`)),
    ).toEqual([1, 1, 1, 1]);
  });
});
