import { Ajv2020 } from 'ajv/dist/2020.js';
import { listNames } from '../documents/list-names.js';
import { sampleRecords, startWritableCatalog, type Document, type WritableCatalog } from '../../../test/writing.js';

describe('GET /schemas', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog({ BASE_PATH: '/catalog' });
    await catalog.fill(sampleRecords);
  });

  afterAll(() => catalog.stop());

  const schemaAt = async (path: string): Promise<Document> => {
    const response = await catalog.fetch(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/schema+json; charset=utf-8',
    ]);
    return (await response.json()) as Document;
  };

  it.each(listNames)('should publish a schema that validates the list of %s for every caller', async (list) => {
    const schema = await schemaAt(`/schemas/${list}.json`);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    const answers = [
      await catalog.read(`/api/${list}`),
      await catalog.send('GET', `/api/${list}`, undefined, { 'X-API-Key': '' }),
    ];
    for (const { status, body } of answers) {
      if (status === 200) expect([validate(body), validate.errors]).toEqual([true, null]);
    }
    expect(validate({ items: [{ name: 5 }], results: [{ name: 5 }] })).toBe(false);
  });

  it.each(['projects', 'datasets'])('should serve the schema of %s at its $schema', async (list) => {
    const { body } = await catalog.read(`/api/${list}`);
    expect(body['$schema']).toBe(`/catalog/schemas/${list}.json`);
    expect(await schemaAt(String(body['$schema']))).toMatchObject({ title: list });
  });

  it('should publish the schema of one record of each kind', async () => {
    for (const kind of ['project', 'dataset', 'contract', 'partner', 'cohort']) {
      expect(await schemaAt(`/schemas/${kind}.json`)).toMatchObject({ $id: `/schemas/${kind}.json`, title: kind });
    }
  });

  it('should answer 404 when no schema has the name', async () => {
    expect((await catalog.fetch('/schemas/person.json')).status).toBe(404);
  });
});
