import { access, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { provisioner } from '../support/command-line.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';

describe('a purge whose worker is killed', () => {
  let system: TestSystem;

  beforeAll(() => buildServices());

  beforeEach(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a': '12345', 'DS-1/b/c': '1' });
    await system.startServer();
    await system.startWorker();
    await system.post('/datasets/srcsys/import?wait=60', { dataset_id: 'DS-1' });
    expect((await provisioner(system.environment, 'withdraw', 'DS-1', '--reason', 'a test')).code).toBe(0);
    await system.stopWorkers();
  });

  afterEach(() => system.stop());

  it.each(['before_start', 'amid_discard', 'after_purge', 'before_done', 'after_done', 'before_close'])(
    'should be completed by another worker when the worker dies at %s',
    async (FAILPOINT) => {
      const killed = await ServiceProcess.startWorker({ ...system.environment, FAILPOINT });
      const body = { confirm: 'DS-1', reason: 'erasure' };
      const { id } = (await system.post('/datasets/srcsys/DS-1/purge', body)).body;
      await killed.signalOfEnd();
      await system.post(`/imports/${id}/cancel`);
      await system.startWorker();
      const { state } = await system.ended(id);
      const isKept = FAILPOINT === 'before_start';
      expect(state).toBe(isKept ? 'cancelled' : 'finished');
      const data = join(system.storage, 'data');
      await mkdir(join(data, '.staging/removed'), { recursive: true });
      expect(await readdir(join(data, '.staging/removed'))).toEqual([]);
      const withdrawn = await readdir(join(data, '.withdrawn/raw'));
      expect(withdrawn).toHaveLength(isKept ? 1 : 0);
      if (isKept) await access(join(data, '.withdrawn/raw', withdrawn[0] ?? '', 'b/c'));
      const { items } = (await system.get('/datasets/srcsys/withdrawn')).body as unknown as { items: object[] };
      expect(items).toMatchObject([{ id: 'DS-1', purge: isKept ? null : { import_id: id } }]);
    },
  );
});
