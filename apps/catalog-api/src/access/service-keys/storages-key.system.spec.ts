import { administered, type Administered } from '../../../test/administered.js';

interface ServiceKey {
  name: string;
  key: string;
}

describe('a service key with the scope storages:write', () => {
  const storage = { platform: 'Data storage', location: 'data/raw/RDC_13/', category: 'master' };
  const at = '/api/datasets/RDC_13/storages';
  const named = new URLSearchParams({ platform: storage.platform, location: storage.location }).toString();
  let catalog: Administered;
  let program: ServiceKey;
  let names = 0;

  const write = async (method: string, path: string, body?: object): Promise<number> =>
    (await catalog.send(method, path, body, program.key)).status;
  const shown = async (): Promise<unknown> => (await catalog.send('GET', '/api/datasets/RDC_13')).body.storages;

  beforeAll(async () => {
    const uuid = '6f0e8a52-0000-4000-8000-000000000003';
    catalog = await administered([{ record: 'dataset', id: 3, external_id: 'RDC_13', uuid, name: 'Dataset 3' }]);
  });

  beforeEach(async () => {
    names += 1;
    const input = { name: `program-${String(names)}`, scopes: ['storages:write'] };
    program = (await catalog.send('POST', '/api/admin/service-keys', input)).body;
  });

  afterEach(() => write('DELETE', `${at}?${named}`));

  afterAll(() => catalog.stop());

  it('should record the location of a dataset once', async () => {
    expect([await write('POST', at, storage), await write('POST', at, storage)]).toEqual([204, 204]);
    expect(await shown()).toEqual([{ ...storage, accesses: [] }]);
  });

  it('should remove the location of a dataset', async () => {
    await write('POST', at, storage);
    expect(await write('DELETE', `${at}?${named}`)).toBe(204);
    expect(await shown()).toEqual([]);
  });

  it('should record the size in the metadata until the last main copy is removed', async () => {
    const metadata = async (): Promise<unknown> => (await catalog.send('GET', '/api/datasets/RDC_13')).body.metadata;
    const given = '{"digits": 12345678901234567890}';
    await catalog.send('PATCH', '/api/datasets/RDC_13', { metadata: given });
    expect(await write('POST', at, { ...storage, bytes: 2 ** 40, files: 3 })).toBe(204);
    expect(await metadata()).toBe(
      '{"digits": 12345678901234567890, "stored_size": {"bytes": 1099511627776, "files": 3}}',
    );
    expect(await write('POST', at, storage)).toBe(204);
    expect(await metadata()).toContain('stored_size');
    await write('DELETE', `${at}?${named}`);
    expect(await metadata()).toBe(given);
    expect(await write('POST', at, { ...storage, bytes: -1 })).toBe(400);
  });

  it('should not read the dataset', async () => {
    expect(await write('GET', '/api/datasets/RDC_13')).toBe(403);
  });

  it('should answer 404 when the dataset is unknown', async () => {
    expect(await write('POST', '/api/datasets/RDC_999/storages', storage)).toBe(404);
  });

  it('should name the program in the audit trail', async () => {
    await write('POST', at, storage);
    const [last] = await catalog.dataSource.query<{ actor: string }[]>(
      `SELECT actor FROM audit_entries WHERE resource = 'datasets' AND record_id = '3' ORDER BY id DESC LIMIT 1`,
    );
    expect(last).toEqual({ actor: `service:${program.name}` });
  });
});
