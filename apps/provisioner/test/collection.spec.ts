import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';

interface Entity {
  readonly '@id': string;
  readonly '@type': string;
  readonly name?: string;
  readonly creativeWorkStatus?: string;
  readonly contentSize?: string;
  readonly conformsTo?: { readonly '@id': string };
  readonly hasPart?: readonly { readonly '@id': string }[];
}

describe('a project collection', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', {
      'submission.json': JSON.stringify({ title: 'One', description: 'The first.' }),
      'terms of use.txt': 'yes',
      'DS-1/a': '1',
      'DS-2/b': '2',
      'DS-3/.import/c': '3',
    });
    await system.startServer();
    await system.startWorker();
    await system.startWorker();
  });

  afterAll(async () => {
    await system.stop();
  });

  async function graph(reference = 'SUB-1'): Promise<readonly Entity[]> {
    const path = join(system.storage, 'data/projects', reference, 'ro-crate-metadata.json');
    const text = await readFile(path, 'utf8').catch(() => '{"@graph":[]}');
    return (JSON.parse(text) as { '@graph': Entity[] })['@graph'];
  }

  const statesIn = async (reference?: string): Promise<Record<string, string | undefined>> =>
    Object.fromEntries(
      (await graph(reference))
        .filter(({ creativeWorkStatus }) => creativeWorkStatus !== undefined)
        .map((entity) => [entity.name ?? '', entity.creativeWorkStatus]),
    );

  async function pending(): Promise<readonly string[]> {
    return readdir(join(system.storage, 'data/.requests/pending/description')).catch(() => []);
  }

  it('should be described with its documents and datasets, and import only missing datasets again', async () => {
    await system.post('/datasets/srcsys/import?wait=30', { dataset_id: 'DS-1' });
    expect(await pending().then((names) => names.length)).toBeLessThan(2);
    const first = await system.importSubmission('SUB-1', 'all');
    for (const { import_id } of first.body.datasets) if (import_id) await system.ended(import_id);
    await system.ended(first.body.id);
    await until(async () => (await statesIn())['DS-2'] === 'Imported');
    expect(await statesIn()).toEqual({ 'DS-1': 'Imported', 'DS-2': 'Imported', 'DS-3': 'Not imported' });
    expect((await system.get('/submissions/srcsys/SUB-1')).body).toMatchObject({
      state: 'partly_imported',
      missing_datasets: ['DS-3'],
    });
    await rm(join(system.source, 'SUB-1/DS-3'), { recursive: true });
    await system.deliver('SUB-1', { 'DS-3/c': '3', 'DS-4/d': '4' });
    const again = await system.importSubmission('SUB-1', 'all');
    expect(again.status).toBe(202);
    const previous = first.body.datasets.map(({ import_id }) => import_id).slice(0, 2);
    expect(again.body.datasets.map(({ import_id }) => import_id).slice(0, 2)).toEqual(previous);
    await until(async () => Object.values(await statesIn()).filter((state) => state === 'Imported').length === 4);
    await until(async () => (await pending()).length === 0);
    expect((await system.get('/submissions/srcsys/SUB-1')).body.state).toBe('imported');
  });

  it('should be described by the rules of RO-Crate 1.2', async () => {
    await system.deliver('SUB-4', {
      'submission.json': JSON.stringify({ title: 'One', description: 'The first.' }),
      ...{ 'terms of use.txt': 'yes', 'DS-41/a': '1', 'DS-42/b': '2' },
    });
    const { body } = await system.importSubmission('SUB-4', 'all');
    await Promise.all([body.id, ...body.datasets.map(({ import_id }) => import_id)].map((id) => system.ended(id)));
    await until(async () => (await pending()).length === 0);
    const entities = await graph('SUB-4');
    const ids = entities.map((entity) => entity['@id']);
    expect(new Set(ids).size).toBe(ids.length);
    const [descriptor, root] = entities;
    expect(descriptor).toMatchObject({
      '@id': 'ro-crate-metadata.json',
      '@type': 'CreativeWork',
      conformsTo: { '@id': 'https://w3id.org/ro/crate/1.2' },
      about: { '@id': './' },
    });
    expect(root).toMatchObject({ '@id': './', '@type': 'Dataset', name: 'One', description: 'The first.' });
    expect(Object.keys(root ?? {})).toEqual(expect.arrayContaining(['datePublished', 'license', 'identifier']));
    for (const part of root?.hasPart ?? []) expect(ids).toContain(part['@id']);
    expect(ids).toEqual(expect.arrayContaining(['submission.json', 'terms%20of%20use.txt']));
    expect(JSON.stringify(entities)).not.toContain('127.0.0.1');
  });

  it('should be described correctly when several workers import many datasets at once', async () => {
    const ids = Array.from({ length: 12 }, (_, at) => `M-${String(at).padStart(2, '0')}`);
    await system.deliver('SUB-2', Object.fromEntries(ids.map((id) => [`${id}/file`, id])));
    await mkdir(join(system.source, 'SUB-2/empty'));
    const { body } = await system.importSubmission('SUB-2', 'all');
    await Promise.all(body.datasets.map(({ import_id }) => system.ended(import_id)));
    await until(async () => (await pending()).length === 0);
    expect(await statesIn('SUB-2')).toEqual(Object.fromEntries([...ids, 'empty'].map((id) => [id, 'Imported'])));
  });

  it('should keep a delivered description', async () => {
    await system.deliver('SUB-3', { 'ro-crate-metadata.json': '{"@graph":[]}', 'DS-31/a': '1' });
    const { body } = await system.importSubmission('SUB-3', 'all');
    await Promise.all(body.datasets.map(({ import_id }) => system.ended(import_id)));
    await until(async () => (await pending()).length === 0);
    const kept = await readFile(join(system.storage, 'data/projects/SUB-3/ro-crate-metadata.json'), 'utf8');
    expect(kept).toBe('{"@graph":[]}');
  });
});
