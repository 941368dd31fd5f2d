import { ulid } from 'ulid';
import { metricsAt } from '../../../test/support/metrics.ts';
import type { ImportRequest } from '../src/model/import-record.js';
import { ImportQueue } from '../src/queue/import-queue.js';
import { provisioner } from './support/command-line.js';
import { onEachQueue } from './support/queues.js';
import { aRequest } from './support/requests.js';
import { TestSystem, until } from './support/system.js';

describe('order of imports on a worker with one slot', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create({ IMPORT_CONCURRENCY: '1' });
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '2', 'DS-3/a': '3' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should run imports with a lower priority number first, regardless of the order of the requests', async () => {
    const priorities = Object.entries({ 'DS-1': 1000, 'DS-2': 1, 'DS-3': 500 });
    const ids: string[] = [];
    for (const [dataset_id, priority] of priorities) {
      ids.push((await system.post('/datasets/srcsys/import', { dataset_id, priority })).body.id);
    }
    await system.startWorker();
    const ended = await Promise.all(ids.map((id) => system.ended(id)));
    const inOrder = ended.sort((one, other) => (one.finished_at < other.finished_at ? -1 : 1));
    expect(inOrder.map(({ subject }) => subject)).toEqual(['DS-2', 'DS-3', 'DS-1']);
  });
});

onEachQueue('a single import request', (queue) => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create({ ...queue.settings, IMPORT_CONCURRENCY: '1' });
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '2', 'DS-3/a': '3', 'DS-4/a': '4' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should run before the imports of the diff, also when the diff contains the same import', async () => {
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
    const inOrder = ended.sort((one, other) => (one.finished_at < other.finished_at ? -1 : 1));
    expect(inOrder).toHaveLength(6);
    expect(inOrder.map(({ subject }) => subject).slice(0, 2)).toEqual(['DS-4', 'DS-5']);
  });
});

onEachQueue('waiting time of the oldest import', (queue) => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create(queue.settings);
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-2/a': '2' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should include an import that waits behind an import of higher priority', async () => {
    const oldest = async (): Promise<number> =>
      (await metricsAt(system.url)).get('provisioner_queue_oldest_seconds') ?? 0;
    await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1', priority: 1000 });
    await until(async () => (await oldest()) > 1);
    await system.post('/datasets/srcsys/import', { dataset_id: 'DS-2', priority: 1 });
    expect(await oldest()).toBeGreaterThan(1);
  });
});

onEachQueue('waiting time of an import with not_before', (queue) => {
  let system: TestSystem;
  let imports: ImportQueue;

  beforeAll(async () => {
    system = await TestSystem.create(queue.settings);
    imports = new ImportQueue(system.environment['QUEUE_URL'] ?? '', () => undefined);
    await imports.waitUntilReady();
  });

  afterAll(async () => {
    await imports.close();
    await system.stop();
  });

  const hour = 3_600_000;
  const requestedAnHourAgo = (not_before: number): ImportRequest => ({
    ...aRequest(ulid(Date.now() - hour), 'DS-1'),
    not_before: new Date(not_before).toISOString(),
  });

  it('should count from not_before when it is after the request', async () => {
    const later = requestedAnHourAgo(Date.now() + hour);
    await imports.add(later);
    const job = await imports.queue.getJob(`${later.id}-1`);
    await job?.promote();
    expect(await imports.countJobs()).toMatchObject({ waiting: 1, delayed: 0 });
    expect(await imports.secondsWaited()).toBe(0);
  });

  it('should count from the new job when the queue was rebuilt', async () => {
    const due = requestedAnHourAgo(Date.now() - 1);
    await imports.add(due);
    expect(await imports.countJobs()).toMatchObject({ waiting: 2 });
    expect(await imports.secondsWaited()).toBeLessThan(hour / 1000);
  });
});
