import { isServiceKey } from '@rdc/auth';
import { until } from '../../../../../test/support/until.ts';
import type { CatalogSchema } from '../../../../../test/support/documented-body.ts';
import { administered, type Administered } from '../../../test/administered.js';
import { runCatalog } from '../../../test/support/command-line.js';

const path = '/api/admin/service-keys';

const dataset = (id: number, project_id: number | null): object => ({
  ...{ record: 'dataset', id, project_id, external_id: `RDC_1${String(id)}`, name: `Dataset ${String(id)}` },
  uuid: `6f0e8a52-0000-4000-8000-00000000000${String(id)}`,
});

describe('/api/admin/service-keys', () => {
  const secret = 'the-secret-of-the-hashes-of-this-suite';
  let catalog: Administered;
  let names = 0;

  beforeAll(async () => {
    const records = [
      { record: 'partner', id: 1, name: 'Unpublished Inc' },
      { record: 'cohort', id: 1, external_id: 'RDC_201', name: 'Open cohort', institutes: [1], published: true },
      { record: 'project', id: 1, external_id: 'RDC_1', acronym: 'ALPHA', name: 'Alpha' },
      { record: 'project', id: 2, external_id: 'RDC_2', acronym: 'BETA', name: 'Beta' },
      dataset(1, 1),
      dataset(2, 2),
      dataset(3, null),
      { record: 'contract', id: 1, name: 'First', project_id: 1 },
      { record: 'contract', id: 2, name: 'Second', project_id: 2 },
      { record: 'project', id: 8, acronym: 'BARE', name: 'Without an accession' },
      dataset(8, 8),
      { record: 'contract', id: 8, name: 'Eighth', project_id: 8 },
    ];
    catalog = await administered(records, { KEY_HASH_SECRET: secret });
  });
  afterAll(() => catalog.stop());

  const made = async (input: object): Promise<CatalogSchema<'CreatedServiceKey'>> => {
    names += 1;
    const { status, body } = await catalog.send('POST', path, { name: `key-${String(names)}`, ...input });
    expect([status, body]).toEqual([201, expect.objectContaining({ valid: true, revoked_at: null })]);
    return body;
  };

  /** Returns the status and the error code of a read of the projects with a key. */
  const reading = async (key: string): Promise<string> => {
    const { status, body } = await catalog.send('GET', '/api/projects', undefined, key);
    return status === 200 ? '200' : `${String(status)} ${body.more.code}`;
  };

  const seen = async (list: string, key: string): Promise<string[]> => {
    const { body } = await catalog.send('GET', list, undefined, key);
    const items = body.items as readonly { readonly id_at_source?: string | null; readonly id?: number }[];
    return items.map(({ id_at_source, id }) => id_at_source ?? String(id));
  };

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/1'],
    ['PATCH', '/1'],
    ['POST', '/1/rotate'],
    ['DELETE', '/1'],
  ])('should refuse %s /api/admin/service-keys%s for every caller except administrators', async (method, rest) => {
    expect(await catalog.refusals(method, `${path}${rest}`)).toEqual(catalog.allRefused);
  });

  it('should show a key only in the answer to its creation', async () => {
    const { id, key } = await made({ scopes: ['records:read'] });
    expect(isServiceKey(key)).toBe(true);
    expect(await reading(key)).toBe('200');
    const { body } = await catalog.send('GET', `${path}/${String(id)}`);
    expect(body).toMatchObject({ valid: true, scopes: ['records:read'] });
    expect(body).not.toHaveProperty('key');
  });

  it('should store a key neither in its table nor in the audit trail', async () => {
    const { id, key } = await made({ scopes: ['records:read'] });
    const tables = ['service_keys', 'service_key_secrets', 'audit_entries'];
    const stored = await Promise.all(tables.map((name) => catalog.dataSource.query<object[]>(`SELECT * FROM ${name}`)));
    expect(JSON.stringify(stored)).not.toContain(key);
    expect(await catalog.trail('service-keys', id)).toEqual(['create']);
  });

  it('should record the last use of a key', async () => {
    const { id, key } = await made({ scopes: ['records:read'] });
    await reading(key);
    const shown = async (): Promise<CatalogSchema<'ServiceKeyResponse'>> =>
      (await catalog.send('GET', `${path}/${String(id)}`)).body;
    await until(async () => (await shown()).last_used_at !== null);
  });

  it('should accept both secrets during the overlap of a rotation, and only the new secret without an overlap', async () => {
    const { id, key } = await made({ scopes: ['records:read'] });
    const rotate = async (overlap_seconds: number): Promise<string> =>
      (await catalog.send('POST', `${path}/${String(id)}/rotate`, { overlap_seconds })).body.key;
    const second = await rotate(60);
    expect([await reading(key), await reading(second)]).toEqual(['200', '200']);
    const third = await rotate(0);
    expect([await reading(second), await reading(third)]).toEqual(['403 key.unknown', '200']);
    expect(await reading(key)).toBe('403 key.unknown');
  });

  it('should refuse a revoked key at its next request', async () => {
    const { id, key } = await made({ scopes: ['records:read'] });
    for (let times = 0; times < 2; times++) {
      expect((await catalog.send('DELETE', `${path}/${String(id)}`)).status).toBe(204);
    }
    expect(await reading(key)).toBe('403 key.unknown');
    expect(await catalog.trail('service-keys', id)).toEqual(['create', 'revoke']);
  });

  it('should not rotate a revoked key, and not give its name to another key', async () => {
    const { id, name } = await made({ scopes: ['records:read'] });
    await catalog.send('DELETE', `${path}/${String(id)}`);
    expect((await catalog.send('POST', `${path}/${String(id)}/rotate`)).status).toBe(404);
    expect(await catalog.fieldsRefused('POST', path, { name, scopes: ['bulk'] })).toEqual(['name']);
  });

  it('should refuse a key after its end', async () => {
    const ended = await made({ scopes: ['records:read'], expires_at: '2999-01-01T00:00:00Z' });
    expect(await reading(ended.key)).toBe('200');
    await catalog.dataSource.query(`UPDATE service_keys SET expires_at = now() WHERE id = $1`, [ended.id]);
    expect(await reading(ended.key)).toBe('403 key.unknown');
  });

  it('should apply changed scopes to the next request, and write an audit entry only for a change', async () => {
    const { id, key } = await made({ scopes: ['records:read'] });
    const change = (body: object): Promise<{ status: number }> => catalog.send('PATCH', `${path}/${String(id)}`, body);
    expect((await change({ scopes: ['audit:read'] })).status).toBe(200);
    expect((await change({ scopes: ['audit:read'] })).status).toBe(200);
    expect(await reading(key)).toBe('403 access.denied');
    expect((await catalog.send('GET', '/api/admin/audit', undefined, key)).status).toBe(200);
    expect(await catalog.trail('service-keys', id)).toEqual(['create', 'update']);
  });

  it.each([
    [{ name: 'Upper', scopes: ['bulk'] }, ['name']],
    [{ name: 'none', scopes: [] }, ['scopes']],
    [{ name: 'admin', scopes: ['admin'] }, ['scopes']],
    [{ name: 'late', scopes: ['bulk'], expires_at: '2000-01-01T00:00:00Z' }, ['expires_at']],
    [{ name: 'wide', scopes: ['records:read', 'bulk'], projects: ['RDC_1'] }, ['scopes']],
    [{ name: 'vain', scopes: ['imports:read'], projects: ['RDC_1'] }, ['projects']],
    [{ name: 'empty', scopes: ['imports:read'], submissions: [] }, ['submissions']],
  ])('should refuse %j', async (input, fields) => {
    expect(await catalog.fieldsRefused('POST', path, input)).toEqual(fields);
  });

  it('should show records of all projects when a key has no limit', async () => {
    const { key } = await made({ scopes: ['records:read'] });
    expect(await seen('/api/datasets', key)).toEqual(expect.arrayContaining(['1', '2', '3', '8']));
  });

  it('should show only records of the named projects when a key is limited', async () => {
    const { key } = await made({ scopes: ['records:read'], projects: ['RDC_1', 'RDC_99'] });
    expect(await seen('/api/projects', key)).toEqual(['1']);
    for (const list of ['/api/datasets', '/api/contracts?all=true']) {
      const ids = await seen(list, key);
      expect(ids).toContain('1');
      expect(ids).not.toContainEqual(expect.stringMatching(/^[238]$/));
    }
    expect((await catalog.send('GET', '/api/datasets/RDC_12', undefined, key)).status).toBe(404);
    expect((await catalog.send('GET', '/api/datasets/2/exposures', undefined, key)).status).toBe(404);
  });

  it('should show no partners, and cohorts as the public sees them, when a key is limited', async () => {
    const { key } = await made({ scopes: ['records:read'], projects: ['RDC_1'] });
    const partners = await catalog.send('GET', '/api/partners', undefined, key);
    expect(partners.body.results).toEqual([]);
    const cohorts = await catalog.send('GET', '/api/cohorts', undefined, key);
    expect(cohorts.body).toEqual((await catalog.send('GET', '/api/cohorts', undefined, null)).body);
    expect(cohorts.body.results).toMatchObject([{ institutes: [] }]);
  });

  it.each<[number, string, string, object | undefined]>([
    [201, 'POST', '/api/datasets', { name: 'Inside', project: 'ALPHA' }],
    [400, 'POST', '/api/datasets', { name: 'Outside', project: 'BETA' }],
    [400, 'POST', '/api/datasets', { name: 'Nowhere' }],
    [200, 'PATCH', '/api/datasets/1', { description: 'new' }],
    [400, 'PATCH', '/api/datasets/1', { project: 'BETA' }],
    [404, 'PATCH', '/api/datasets/2', { description: 'new' }],
    [404, 'PUT', '/api/datasets/2', { name: 'Mine', project: 'ALPHA' }],
    [404, 'DELETE', '/api/datasets/2', undefined],
    [404, 'PUT', '/api/datasets/RDC_77', { name: 'Mine', project: 'ALPHA' }],
    [403, 'POST', '/api/projects', { acronym: 'MINE' }],
    [201, 'POST', '/api/contracts', { name: 'Third', project_id: 1 }],
    [400, 'POST', '/api/contracts', { name: 'Third', project_id: 2 }],
  ])('should answer %i to %s %s %j when the key is limited to ALPHA', async (status, method, at, body) => {
    const { key } = await made({ scopes: ['records:write'], projects: ['RDC_1'] });
    expect((await catalog.send(method, at, body, key)).status).toBe(status);
  });

  it.each([
    ['external_id', 'RDC_12', 'RDC_77'],
    ['uuid', '6f0e8a52-0000-4000-8000-000000000002', '6f0e8a52-0000-4000-8000-000000000077'],
  ])('should refuse the %s of a hidden record like a free one when the key is limited', async (field, hidden, free) => {
    const { key } = await made({ scopes: ['records:write'], projects: ['RDC_1'] });
    const answers = [hidden, free].map(async (value) => {
      const { status, body } = await catalog.send(
        'POST',
        '/api/datasets',
        { name: `Free ${field}`, project: 'ALPHA', [field]: value },
        key,
      );
      return [
        status,
        JSON.stringify(body)
          .replaceAll(value, 'VALUE')
          .replace(/"request_id":"[^"]*"/, ''),
      ];
    });
    const [one, other] = await Promise.all(answers);
    expect(one).toEqual([400, expect.stringContaining(field)]);
    expect(one).toEqual(other);
  });

  it('should report records as changed to a limited key when its limits change or a project gets its accession', async () => {
    await catalog.documents.rebuildAll();
    const views = (): Promise<object[]> =>
      catalog.dataSource.query('SELECT * FROM view_records ORDER BY list, record_id, view');
    const { id, key } = await made({ scopes: ['records:read'], projects: ['RDC_1', 'RDC_808'] });
    const other = await made({ scopes: ['records:read'], projects: ['RDC_1'] });
    const changes: [write: () => Promise<unknown>, seen: string[]][] = [
      [() => catalog.send('PATCH', `${path}/${String(id)}`, { projects: ['RDC_2', 'RDC_808'] }), ['2', '2', '2']],
      [() => catalog.send('PATCH', '/api/projects/8', { external_id: 'RDC_808' }), ['8', '8', '8']],
      [() => catalog.send('PATCH', `${path}/${String(id)}`, { scopes: ['imports:read'], projects: null }), []],
      [
        () => catalog.send('PATCH', `${path}/${String(id)}`, { scopes: ['records:read'], projects: ['RDC_2'] }),
        ['2', '2', '2'],
      ],
      [() => catalog.send('DELETE', `${path}/${String(other.id)}`), []],
    ];
    for (const [write, expected] of changes) {
      const since = new Date().toISOString();
      await write();
      const noticed = await views();
      await catalog.documents.rebuildAll();
      expect(await views()).toEqual(noticed);
      if (expected.length === 0) continue;
      const lists = ['/api/projects?', '/api/datasets?', '/api/contracts?all=true&'];
      const changed = await Promise.all(lists.map((list) => seen(`${list}updated_since=${since}`, key)));
      expect(changed.flat()).toEqual(expected);
    }
  });

  describe('catalog key service', () => {
    const run = async (...args: string[]): Promise<string> =>
      (await runCatalog(catalog.environment, ['key', 'service', ...args])).join('\n');

    beforeAll(() => made({ name: 'taken', scopes: ['bulk'] }));

    it('should print a key that the catalog accepts', async () => {
      const key = await run('by-command', '--scope', 'records:read', '--scope', 'imports:read', '--submissions', 'S-');
      expect(isServiceKey(key)).toBe(true);
      expect(await reading(key)).toBe('200');
      const { body } = await catalog.send('GET', `${path}?q=by-com`);
      expect(body.items).toMatchObject([{ scopes: ['records:read', 'imports:read'], submissions: ['S-'] }]);
    });

    it.each([
      [['--scope', 'bulk'], "missing required argument 'name'"],
      [['one'], "required option '--scope <scope...>' not specified"],
      [['one', '--scope', 'admin'], "argument 'admin' is invalid. Allowed choices are records:read, "],
      [['one', '--scope', 'bulk', '--expires', 'yesterday'], 'must be a future date'],
      [['taken', '--scope', 'bulk'], 'must be a name that no service key has or had'],
    ])('should refuse %j', async (args, problem) => {
      await expect(run(...args)).rejects.toThrow(problem);
    });
  });
});
