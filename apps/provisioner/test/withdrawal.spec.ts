import type { ImportResponse } from '../src/imports/import.response.js';
import { provisioner } from './support/command-line.js';
import { TestSystem } from './support/system.js';

describe('an import and a withdrawal of one dataset', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    await system.startServer();
  });

  afterAll(() => system.stop());

  const submit = () => system.post('/datasets/srcsys/import', { dataset_id: 'DS-1', reimport_of_withdrawn: true });

  /** Withdraws the dataset, or only submits the withdrawal. @returns the id of the withdrawal */
  async function withdraw(...options: string[]): Promise<string> {
    const args = ['withdraw', 'DS-1', '--reason', 'Consent was withdrawn', '--json', ...options];
    const { out } = await provisioner(system.environment, ...args);
    return (JSON.parse(out) as ImportResponse).id;
  }

  async function imported(): Promise<void> {
    await system.startWorker();
    expect(await system.ended((await submit()).body.id)).toMatchObject({ state: 'finished' });
  }

  const refusal = (state: string, import_id: string): object => ({
    status: 409,
    body: { more: { code: 'import.state', state, import_id } },
  });

  it('should list the files of an import until the dataset is withdrawn', async () => {
    await system.startWorker();
    const { id } = (await submit()).body;
    await system.ended(id);
    expect((await system.get(`/imports/${id}/files`)).body.items).toMatchObject([{ path: 'a' }]);
    await withdraw();
    expect(await system.get(`/imports/${id}/files`)).toMatchObject({ status: 200, body: { items: [] } });
  });

  it('should not be retried when the other is under way', async () => {
    await imported();
    await system.stopWorkers();
    const cancelled = await withdraw('--no-wait');
    await system.post(`/imports/${cancelled}/cancel`);
    await system.startWorker();
    expect(await system.ended(cancelled)).toMatchObject({ state: 'cancelled' });
    await withdraw();
    await system.stopWorkers();

    const { id } = (await submit()).body;
    expect(await system.post(`/imports/${cancelled}/retry`)).toMatchObject(refusal('importing', id));
    expect((await system.get(`/imports/${id}`)).body).toMatchObject({ state: 'queued', attempt: 1 });
    expect(await system.post(`/imports/${id}/cancel`)).toMatchObject({ status: 202, body: { state: 'cancelled' } });

    await imported();
    await system.stopWorkers();
    const withdrawal = await withdraw('--no-wait');
    expect(await system.post(`/imports/${id}/retry`)).toMatchObject(refusal('withdrawing', withdrawal));
    expect((await system.get(`/imports/${withdrawal}`)).body).toMatchObject({ state: 'queued', attempt: 1 });
  });
});
