import { administered, type Administered } from '../../../test/administered.js';
import { runCatalog } from '../../../test/support/command-line.js';

describe('/api/admin/use-classes', () => {
  let catalog: Administered;
  const path = '/api/admin/use-classes';

  beforeAll(async () => {
    const declaration = { title: 'One', use_conditions: [{ use_class: 'GRU', use_condition_rule: 'PERMISSION' }] };
    const uuid = '6f0e8a52-0000-4000-8000-000000000001';
    catalog = await administered([
      { record: 'dataset', id: 1, external_id: 'RDC_1', uuid, name: 'Genomes', data_declarations: [declaration] },
    ]);
  });

  afterAll(() => catalog.stop());

  afterEach(() => catalog.send('PATCH', `${path}/GRU`, { label: null }));

  const exported = async (): Promise<string> => JSON.stringify((await catalog.send('GET', '/api/datasets/RDC_1')).body);

  it('should refuse a change when the caller is not an administrator, and show the labels to every session', async () => {
    expect(await catalog.refusals('PATCH', `${path}/GRU`)).toEqual(catalog.allRefused);
    const expected = { ...catalog.allRefused, 'session without the role': '200 ' };
    expect(await catalog.refusals('GET', path)).toEqual(expected);
  });

  it('should list every consent code with the label that DAISY publishes', async () => {
    const { items } = (await catalog.send('GET', path)).body;
    expect(items).toHaveLength(22);
    const label = 'General Research use and Clinical Care';
    expect(items.find(({ code }) => code === 'GRU')).toEqual({ code: 'GRU', label, default_label: label, datasets: 1 });
    expect(await exported()).toContain(`"use_class_label":"${label}"`);
  });

  it('should change the label in exported datasets, restore the default, and audit each change once', async () => {
    for (let times = 0; times < 2; times++) {
      const { status, body } = await catalog.send('PATCH', `${path}/GRU`, { label: 'General use' });
      expect([status, body.label, body.default_label]).toEqual([
        200,
        'General use',
        'General Research use and Clinical Care',
      ]);
    }
    expect(await exported()).toContain('"use_class_label":"General use"');
    await catalog.send('PATCH', `${path}/GRU`, { label: null });
    expect(await exported()).toContain('"use_class_label":"General Research use and Clinical Care"');
    expect((await catalog.trail('use_classes', 'GRU')).slice(-2)).toEqual(['update', 'update']);
    expect(await catalog.documents.rebuildAll()).toMatchObject({ datasets: 0 });
  });

  it.each([[{}], [{ label: '' }], [{ label: '  ' }], [{ label: 'x'.repeat(10_001) }], [{ label: 7 }]])(
    'should refuse the change %j',
    async (body) => {
      expect(await catalog.fieldsRefused('PATCH', `${path}/GRU`, body)).toEqual(['label']);
    },
  );

  it('should answer 404 for an unknown code', async () => {
    expect((await catalog.send('PATCH', `${path}/XYZ`, { label: 'x' })).status).toBe(404);
    expect((await catalog.send('PATCH', `${path}/%00`, { label: 'x' })).status).toBe(404);
  });

  it('should list and set labels by command', async () => {
    const run = (...words: string[]): Promise<string[]> => runCatalog(catalog.environment, ['use-class', ...words]);
    expect(await run('label', 'GRU', 'By command')).toEqual(['GRU is labelled "By command" in 1 datasets.']);
    expect(await run('list')).toContain('GRU\tBy command\t1 datasets');
    expect(await exported()).toContain('"use_class_label":"By command"');
    expect(await run('label', 'GRU')).toEqual([
      'GRU is labelled "General Research use and Clinical Care" in 1 datasets.',
    ]);
    await expect(run('label', 'XYZ', 'x')).rejects.toThrow('XYZ');
  });
});
