import { ulid } from 'ulid';
import { metricsAt } from '../../../test/support/metrics.ts';
import type { ImportRequest } from '../src/model/import-record.js';
import { ImportQueue } from '../src/queue/import-queue.js';
import { provisioner } from './support/command-line.js';
import { onEachQueue } from './support/queues.js';
import { aRequest } from './support/requests.js';
import { TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';

describe('order of imports on a worker with one slot', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create({ IMPORT_CONCURRENCY: '1' });
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '2', 'DS-3/a': '3' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should start the import with the lowest priority number first', async () => {
    const priorities = Object.entries({ 'DS-1': 1000, 'DS-2': 1, 'DS-3': 500 });
    const ids: string[] = [];
    for (const [dataset_id, priority] of priorities) {
      ids.push((await system.post('/datasets/srcsys/import', { dataset_id, priority })).body.id);
    }
    await system.startWorker();
    const ended = await Promise.all(ids.map((id) => system.ended(id)));
    const inOrder = ended.sort((one, other) => timeOf(one.finished_at) - timeOf(other.finished_at));
    expect(inOrder.map(({ subject }) => subject)).toEqual(['DS-2', 'DS-3', 'DS-1']);
  });
});

onEachQueue('an import that is submitted alone', (queue) => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create({ ...queue.settings, IMPORT_CONCURRENCY: '1' });
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '2', 'DS-3/a': '3', 'DS-4/a': '4' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should start before the imports of the diff when it is one of them', async () => {
    const { out } = await provisioner(system.environment, 'import', '--all', '--no-wait', '--json');
    const ids = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly id: string }).id);
    await system.deliver('SUB-2', { 'DS-5/a': '5' });
    for (const dataset_id of ['DS-4', 'DS-5', 'DS-4']) {
      const absent = { priority: null, not_before: null };
      ids.push((await system.post('/datasets/srcsys/import', { dataset_id, ...absent })).body.id);
    }
    await system.startWorker();
    const ended = await Promise.all([...new Set(ids)].map((id) => system.ended(id)));
    const inOrder = ended.sort((one, other) => timeOf(one.finished_at) - timeOf(other.finished_at));
    expect(inOrder).toHaveLength(6);
    expect(inOrder.map(({ subject }) => subject).slice(0, 2)).toEqual(['DS-4', 'DS-5']);
  });
});

onEachQueue('the waiting time of the oldest import', (queue) => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create(queue.settings);
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '2' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should be reported when another import starts first', async () => {
    const oldest = async (): Promise<number> =>
      (await metricsAt(system.url)).get('provisioner_queue_oldest_seconds') ?? 0;
    await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1', priority: 1000 });
    await until(async () => (await oldest()) > 1);
    await system.post('/datasets/srcsys/import', { dataset_id: 'DS-2', priority: 1 });
    expect(await oldest()).toBeGreaterThan(1);
  });
});

onEachQueue('an import with an earliest start', (queue) => {
  let system: TestSystem;
  let imports: ImportQueue;

  beforeEach(async () => {
    await queue.redis?.flush();
    system = await TestSystem.create(queue.settings);
    imports = new ImportQueue(system.environment['QUEUE_URL'] ?? '', () => undefined);
    await imports.waitUntilReady();
  });

  afterEach(async () => {
    await imports.close();
    await system.stop();
  });

  const hour = 3_600_000;
  const requestedAnHourAgo = (not_before: number): ImportRequest => ({
    ...aRequest(ulid(Date.now() - hour), 'DS-1'),
    not_before: new Date(not_before).toISOString(),
  });

  it('should wait from the earliest start when that is later than the request', async () => {
    const later = requestedAnHourAgo(Date.now() + hour);
    await imports.add(later);
    const job = await imports.queue.getJob(`${later.id}-1`);
    await job?.promote();
    expect(await imports.countJobs()).toMatchObject({ waiting: 1, delayed: 0 });
    expect(await imports.secondsWaited()).toBe(0);
  });

  it('should wait from the time of queueing when the queue was emptied', async () => {
    const due = requestedAnHourAgo(Date.now() - 1);
    await imports.add(due);
    expect(await imports.countJobs()).toMatchObject({ waiting: 1 });
    expect(await imports.secondsWaited()).toBeLessThan(hour / 1000);
  });
});

/** Returns a time in milliseconds. A time that is null sorts first. */
function timeOf(text: string | null): number {
  return Date.parse(text ?? '1970-01-01');
}
