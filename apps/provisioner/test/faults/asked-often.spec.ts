import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { World } from './support/world.js';

describe('a dataset that a hundred callers request at once at two servers', () => {
  let system: TestSystem;
  let other: ServiceProcess;

  beforeAll(async () => {
    await buildServices();
    system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'DS-1/b': '2' });
    await system.startServer();
    other = await ServiceProcess.start('provisioner/dist/main.js', system.environment);
  });

  afterAll(async () => {
    await other.end('SIGTERM');
    await system.stop();
  });

  it('should be imported once when it is requested often', async () => {
    const world = await World.of(system);
    const urls = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? system.url : other.url));
    const answers = await Promise.all(urls.map((url) => system.askAt(url, 'DS-1')));
    // On a busy machine the queue may respond too late to some requests, which have then changed nothing.
    const accepted = answers.filter(({ status }) => status !== 503);
    expect(new Set(accepted.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = new Set(accepted.map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    await Promise.all([system.startWorker(), system.startWorker()]);
    expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
    for (const url of [system.url, other.url]) {
      expect(await system.askAt(url, 'DS-1')).toMatchObject({ status: 200, body: { id, state: 'finished' } });
    }
    await world.check();
    await system.redeliver('SUB-1', { 'DS-1/a': 'another' });
    expect(await system.askAt(other.url, 'DS-1')).toMatchObject({
      status: 409,
      body: { more: { code: 'source.changed_since_import' } },
    });
  });
});
