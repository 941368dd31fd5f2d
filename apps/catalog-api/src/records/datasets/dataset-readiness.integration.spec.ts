import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';

interface Readiness {
  readonly stated: number;
  readonly required: number;
  readonly facts: readonly { readonly name: string; readonly stated: boolean; readonly fields: readonly string[] }[];
}

describe('GET /api/datasets/:id/readiness', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog({ DATA_CONTACT_EMAIL: 'data@example.org' });
  });

  afterAll(() => catalog.stop());

  const create = async (dataset: object): Promise<string> => {
    const body = JSON.stringify(dataset);
    const answer = await catalog.fetch('/api/datasets', { method: 'POST', body, key: globalKey });
    return ((await answer.json()) as { id_at_source: string }).id_at_source;
  };

  const readinessOf = async (id: string): Promise<Readiness> => {
    const answer = await catalog.fetch(`/api/datasets/${id}/readiness`, { key: globalKey });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Readiness;
  };

  it('should name the fields of the missing facts of a dataset that is not exposed', async () => {
    const { facts, ...counts } = await readinessOf(await create({ name: 'Sleep diaries' }));
    expect(counts).toEqual({ stated: 2, required: 9 });
    expect(facts.filter(({ stated }) => stated).map(({ name }) => name)).toEqual(['variables', 'contact']);
    expect(facts[2]).toEqual({
      name: 'health_category',
      property: 'health:healthCategory',
      stated: false,
      fields: ['metadata.healthdcat.categories'],
      settings: [],
    });
    expect(facts.at(-1)).toMatchObject({ name: 'access_body', stated: false, fields: [], settings: ['ACCESS_BODY'] });
  });

  it('should count every fact that the record states', async () => {
    const healthdcat = { categories: ['EHRS'], structured: false, provenance: 'Written down each morning.' };
    const metadata = { keywords: ['sleep'], healthdcat: { ...healthdcat, dataset_types: ['PERSONAL_DATA'] } };
    const { facts, stated } = await readinessOf(
      await create({ name: 'Dream diaries', description: 'Diaries of 12 people.', metadata }),
    );
    expect(stated).toBe(8);
    expect(facts.filter((fact) => !fact.stated).map(({ name }) => name)).toEqual(['access_body']);
  });

  it('should hide a dataset from a caller who may not read it', async () => {
    const id = await create({ name: 'Sleep laboratory' });
    expect((await catalog.fetch('/api/datasets/999999/readiness', { key: globalKey })).status).toBe(404);
    expect((await catalog.fetch(`/api/datasets/${id}/readiness`)).status).toBe(403);
  });
});
