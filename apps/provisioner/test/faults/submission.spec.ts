import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TestSystem } from '../support/system.js';
import { World } from './support/world.js';

describe('a submission of which only some datasets can be imported', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    const wrong = { 'WRONG/a': '1', 'WRONG/MD5SUMS': `${'0'.repeat(32)}  a\n` };
    await system.deliver('SUB-1', { ...wrong, 'terms.txt': 'yes', 'THERE/a': '1', 'UNDER-WAY/a': '1', 'GONE/a': '1' });
    await system.startServer();
    await system.startWorker();
    await system.post('/datasets/srcsys/import?wait=30', { dataset_id: 'THERE' });
    await system.stopWorkers();
  });

  afterAll(() => system.stop());

  const importAll = async (): Promise<{ collection: string; ids: Map<string, string> }> => {
    const { body } = await system.importSubmission('SUB-1', 'all');
    return { collection: body.id, ids: new Map(body.datasets.map((each) => [each.dataset_id, each.import_id])) };
  };

  it('should become a collection of the imported datasets and later request only the missing ones', async () => {
    const there = (await system.get('/datasets/srcsys/THERE')).body.import?.id;
    const underWay = (await system.post('/datasets/srcsys/import', { dataset_id: 'UNDER-WAY' })).body.id;
    const first = await importAll();
    expect([...first.ids.keys()].sort()).toEqual(['GONE', 'THERE', 'UNDER-WAY', 'WRONG']);
    expect([first.ids.get('THERE'), first.ids.get('UNDER-WAY')]).toEqual([there, underWay]);

    await rm(join(system.source, 'SUB-1/GONE'), { recursive: true });
    await system.deliver('SUB-1', { 'LATE/a': '1' });
    const world = await World.of(system);
    await system.startWorker();
    const ends = [first.collection, ...first.ids.values()].map((id) => system.ended(id));
    expect((await Promise.all(ends)).map(({ subject, state, error }) => [subject, state, error?.code])).toEqual([
      ['SUB-1', 'finished', undefined],
      ['GONE', 'failed', 'source.gone'],
      ['THERE', 'finished', undefined],
      ['UNDER-WAY', 'finished', undefined],
      ['WRONG', 'rejected', 'checksum.mismatch'],
    ]);
    expect(await members()).toEqual(['LATE', 'THERE', 'UNDER-WAY', 'WRONG']);
    expect(await missing()).toEqual(['LATE', 'WRONG']);

    const again = await importAll();
    expect(again).toMatchObject({ collection: first.collection });
    expect(again.ids.get('UNDER-WAY')).toBe(underWay);
    expect(again.ids.get('WRONG')).toBeNull();
    expect(await system.ended(again.ids.get('LATE') ?? '')).toMatchObject({ state: 'finished', attempt: 1 });
    expect(await missing()).toEqual(['WRONG']);
    await world.check();
  });

  async function missing(): Promise<unknown> {
    const { body } = await system.get('/submissions/srcsys/SUB-1');
    return (body as unknown as { missing_datasets: unknown }).missing_datasets;
  }

  async function members(): Promise<unknown> {
    const path = join(system.storage, 'data/projects/SUB-1/.import/commit.json');
    return (JSON.parse(await readFile(path, 'utf8')) as { members: unknown }).members;
  }
});
