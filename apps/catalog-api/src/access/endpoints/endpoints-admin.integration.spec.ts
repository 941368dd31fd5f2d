import { until } from '../../../../../test/support/until.ts';
import type { CatalogSchema } from '../../../../../test/support/documented-body.ts';
import { administered, type Administered } from '../../../test/administered.js';

const pasted = (seed: string): string => seed.repeat(64).slice(0, 64);

describe('/api/admin/endpoints', () => {
  let catalog: Administered;
  const path = '/api/admin/endpoints';

  beforeAll(async () => {
    catalog = await administered([
      { record: 'dataset', id: 1, external_id: 'RDC_2', uuid: '6f0e8a52-0000-4000-8000-000000000001', name: 'Genomes' },
      { record: 'endpoint', id: 1, name: 'Exposed' },
      { record: 'exposure', id: 1, dataset_id: 1, endpoint_id: 1, form_id: 3 },
      { record: 'endpoint', id: 2, name: 'Former' },
      { record: 'exposure', id: 2, dataset_id: 1, endpoint_id: 2, form_id: 3, deprecated_at: '2020-01-01T00:00:00Z' },
      { record: 'exposure', id: 3, dataset_id: 1, endpoint_id: 2, form_id: 4 },
    ]);
  });

  afterAll(() => catalog.stop());

  const show = async (id: number): Promise<CatalogSchema<'EndpointResponse'>> =>
    (await catalog.send('GET', `${path}/${String(id)}`)).body;

  const create = async (input: object): Promise<CatalogSchema<'CreatedEndpoint'>> => {
    const { status, body } = await catalog.send('POST', path, input);
    expect(status).toBe(201);
    return body;
  };

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/1'],
    ['GET', '/1/exposures'],
    ['PATCH', '/1'],
    ['DELETE', '/1'],
    ['POST', '/1/key'],
    ['DELETE', '/1/key'],
  ])('should refuse %s /api/admin/endpoints%s for every caller except administrators', async (method, rest) => {
    expect(await catalog.refusals(method, `${path}${rest}`)).toEqual(catalog.allRefused);
  });

  it('should create an endpoint with the given members', async () => {
    const members = { name: 'Made', url_pattern: 'https://x.example/${entity_id}', public: true };
    const { key, ...made } = await create(members);
    expect(made).toMatchObject(members);
    expect(await show(made.id)).toEqual(made);
    expect(await catalog.trail('endpoints', made.id)).toEqual(['create', 'issue-key']);
    expect(await catalog.accepts(key)).toBe(true);
  });

  it('should show a generated key only in the answer to the creation', async () => {
    const { id, key } = await create({ name: 'Secret' });
    expect(key).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(JSON.stringify(await show(id))).not.toContain(key);
  });

  it('should accept a given key of 64 visible ASCII characters', async () => {
    const key = pasted('!~aZ09#"');
    expect((await create({ name: 'Pasted', key })).key).toBe(key);
    expect(await catalog.accepts(key)).toBe(true);
  });

  it.each([pasted('a').slice(1), `${pasted('a')}a`, '', pasted('a b'), pasted('é'), 7, null])(
    'should refuse to create an endpoint with the key %j',
    async (key) => {
      expect(await catalog.fieldsRefused('POST', path, { name: 'Wrong', key })).toEqual(['key']);
    },
  );

  it('should create no endpoint when another endpoint has the key', async () => {
    const key = pasted('taken');
    await create({ name: 'Owner', key });
    expect(await catalog.fieldsRefused('POST', path, { name: 'Twin', key })).toEqual(['key']);
    const { body } = await catalog.send('GET', `${path}?q=TWIN`);
    expect(body).toMatchObject({ items: [], total: 0 });
  });

  it.each([
    [{}, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 'x'.repeat(129) }, ['name']],
    [{ name: 'Exposed' }, ['name']],
    [{ name: 'x', url_pattern: 'x'.repeat(257) }, ['url_pattern']],
    [{ name: 'x', public: 'true' }, ['public']],
    [{ name: 'x', key_hash: 'x' }, ['key_hash']],
    ['text', ['']],
  ])('should refuse to create %j', async (body, fields) => {
    expect(await catalog.fieldsRefused('POST', path, body)).toEqual(fields);
  });

  it('should list endpoints by name in pages', async () => {
    const first = await catalog.send('GET', `${path}?limit=1`);
    const rest = await catalog.send('GET', `${path}?limit=1000&cursor=${String(first.body.next_cursor)}`);
    const names = [...first.body.items, ...rest.body.items].map(({ name }) => name);
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
    expect([first.body.total, rest.body.total, rest.body.next_cursor]).toEqual([names.length, names.length, null]);
  });

  it('should list the current and past exposures of an endpoint, newest first, in pages', async () => {
    const exposures = async (query: string) => (await catalog.send('GET', `${path}/2/exposures?${query}`)).body;
    const first = await exposures('limit=1');
    const dataset = { dataset_id: 1, dataset_external_id: 'RDC_2', dataset_name: 'Genomes' };
    expect(first).toMatchObject({ items: [{ id: 3, ...dataset, form_id: 4, deprecated_at: null }], total: 2 });
    const rest = await exposures(`cursor=${String(first.next_cursor)}`);
    expect(rest).toMatchObject({ items: [{ id: 2, deprecated_at: '2020-01-01T00:00:00.000Z' }], next_cursor: null });
    expect((await catalog.send('GET', `${path}/999/exposures`)).status).toBe(404);
  });

  it('should change only the given members', async () => {
    const { id } = await create({ name: 'Before', url_pattern: 'https://x.example' });
    const { body } = await catalog.send('PATCH', `${path}/${String(id)}`, { name: 'After', public: true });
    expect(body).toMatchObject({ id, name: 'After', url_pattern: 'https://x.example', public: true });
    expect(await show(id)).toEqual(body);
  });

  it('should write no audit entry when a change is repeated', async () => {
    const { id } = await create({ name: 'Repeated' });
    for (let times = 0; times < 2; times++) await catalog.send('PATCH', `${path}/${String(id)}`, { public: true });
    expect(await catalog.trail('endpoints', id)).toEqual(['create', 'issue-key', 'update']);
  });

  it.each([
    [{ name: 'Exposed' }, ['name']],
    [{ key: pasted('a'), name: null }, ['key', 'name']],
  ])('should refuse the change %j', async (change, fields) => {
    expect(await catalog.fieldsRefused('PATCH', `${path}/2`, change)).toEqual(fields);
  });

  it('should remove an endpoint without exposures together with its key', async () => {
    const { id, key } = await create({ name: 'Brief' });
    expect((await catalog.send('DELETE', `${path}/${String(id)}`)).status).toBe(204);
    expect((await catalog.send('DELETE', `${path}/${String(id)}`)).status).toBe(404);
    expect(await catalog.accepts(key)).toBe(false);
  });

  it('should not remove an endpoint with exposures', async () => {
    const refused = await catalog.send('DELETE', `${path}/1`);
    expect(refused.status).toBe(400);
    expect(refused.body.more).toMatchObject({ code: 'record.in_use', users: { exposures: 1 } });
    expect((await show(1)).active_exposures).toBe(1);
  });

  describe('key', () => {
    const rotate = async (id: number, input?: object): Promise<CatalogSchema<'IssuedKey'>> => {
      const { status, body } = await catalog.send('POST', `${path}/${String(id)}/key`, input);
      expect(status).toBe(201);
      return body;
    };

    const accepted = (...keys: string[]): Promise<boolean[]> => Promise.all(keys.map((key) => catalog.accepts(key)));

    it('should be accepted next to the new key during the overlap of a rotation', async () => {
      const { id, key } = await create({ name: 'Overlapping' });
      const next = await rotate(id, { overlap_seconds: 3600 });
      expect(await accepted(key, next.key)).toEqual([true, true]);
    });

    it('should be refused after a rotation without an overlap, which ends all previous keys', async () => {
      const { id, key: first } = await create({ name: 'Rotating' });
      const second = await rotate(id, { overlap_seconds: 3600 });
      const third = await rotate(id);
      expect(await accepted(first, second.key, third.key)).toEqual([false, false, true]);
      expect((await show(id)).keys.map(({ valid }) => valid)).toEqual([true, false, false]);
    });

    it('should be shown with the time of its last use', async () => {
      const { id, key } = await create({ name: 'Used' });
      await catalog.accepts(key);
      await until(async () => (await show(id)).keys[0]?.last_used_at?.endsWith('Z') === true);
    });

    it('should be accepted when it is given twice', async () => {
      const { id } = await create({ name: 'Brought' });
      const key = pasted('brought');
      await rotate(id, { key });
      await rotate(id, { key });
      expect(await catalog.accepts(key)).toBe(true);
    });

    it('should be refused after its revocation, which may be repeated', async () => {
      const { id, key } = await create({ name: 'Revoked' });
      for (let times = 0; times < 2; times++) {
        expect((await catalog.send('DELETE', `${path}/${String(id)}/key`)).status).toBe(204);
      }
      expect(await catalog.accepts(key)).toBe(false);
      expect((await show(id)).keys.some(({ valid }) => valid)).toBe(false);
    });

    it('should be accepted when it is given again after its revocation', async () => {
      const key = pasted('again');
      const { id } = await create({ name: 'Revived', key });
      await catalog.send('DELETE', `${path}/${String(id)}/key`);
      await rotate(id, { key });
      expect(await catalog.accepts(key)).toBe(true);
    });

    it('should be accepted until its end', async () => {
      const { id } = await create({ name: 'Ending' });
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      const { key } = await rotate(id, { expires_at });
      expect((await show(id)).keys[0]).toMatchObject({ expires_at, valid: true });
      expect(await catalog.accepts(key)).toBe(true);
      await catalog.dataSource.query('UPDATE endpoint_keys SET expires_at = now() WHERE endpoint_id = $1', [id]);
      expect(await catalog.accepts(key)).toBe(false);
    });

    it.each([
      [{ key: 'x'.repeat(63) }, ['key']],
      [{ key: 'x'.repeat(65) }, ['key']],
      [{ overlap_seconds: -1 }, ['overlap_seconds']],
      [{ overlap_seconds: 1.5 }, ['overlap_seconds']],
      [{ overlap_seconds: '60' }, ['overlap_seconds']],
      [{ overlap_seconds: 31_536_001 }, ['overlap_seconds']],
      [{ expires_at: '2001-01-01T00:00:00Z' }, ['expires_at']],
      [{ expires: 'never' }, ['expires']],
      [null, ['']],
    ])('should refuse %j', async (body, fields) => {
      expect(await catalog.fieldsRefused('POST', `${path}/1/key`, body)).toEqual(fields);
    });
  });

  it.each(['0', '999999', '99999999999', 'abc'])('should not find endpoint %s', async (id) => {
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      expect((await catalog.send(method, `${path}/${id}`, method === 'PATCH' ? {} : undefined)).status).toBe(404);
    }
    expect((await catalog.send('POST', `${path}/${id}/key`)).status).toBe(404);
    expect((await catalog.send('DELETE', `${path}/${id}/key`)).status).toBe(404);
  });
});
