import { isServiceKey } from '@rdc/auth';
import { administered, type Administered } from '../../../test/administered.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { serviceKeyCommand } from './service-key.command.js';
import { commandContext } from '../../app/command-context.js';

interface ServiceKey {
  id: number;
  name: string;
  key: string;
  scopes: string[];
  valid: boolean;
  last_used_at: string | null;
  revoked_at: string | null;
  secrets: { valid: boolean; last_used_at: string | null }[];
}

interface Refusal {
  more: { code: string };
}

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

  const made = async (input: object): Promise<ServiceKey> => {
    names += 1;
    const { status, body } = await catalog.send<ServiceKey>('POST', path, { name: `key-${String(names)}`, ...input });
    expect([status, body]).toEqual([201, expect.objectContaining({ valid: true, revoked_at: null })]);
    return body;
  };

  /** Returns the status and the error code of a read of the projects with a key. */
  const reading = async (key: string): Promise<string> => {
    const { status, body } = await catalog.send<Refusal>('GET', '/api/projects', undefined, key);
    return status === 200 ? '200' : `${String(status)} ${body.more.code}`;
  };

  const seen = async (list: string, key: string): Promise<string[]> => {
    const { body } = await catalog.send<{ items: { id_at_source?: string; id?: number }[] }>(
      'GET',
      list,
      undefined,
      key,
    );
    return body.items.map(({ id_at_source, id }) => id_at_source ?? String(id));
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

  it('should show a key once, store only its hash, and record its last use', async () => {
    const { id, key } = await made({ scopes: ['records:read'] });
    expect(isServiceKey(key)).toBe(true);
    expect(await reading(key)).toBe('200');
    const stored = JSON.stringify(await catalog.dataSource.query('SELECT * FROM service_keys, service_key_secrets'));
    expect(stored).not.toContain(key);
    const { body } = await catalog.send<ServiceKey>('GET', `${path}/${String(id)}`);
    expect(body).toMatchObject({ valid: true, scopes: ['records:read'] });
    expect(body).not.toHaveProperty('key');
    expect(await catalog.trail('service-keys', id)).toEqual(['create']);
    const [trail] = await catalog.dataSource.query<[{ text: string }]>(
      `SELECT string_agg(audit_entries::text, ' ') AS text FROM audit_entries`,
    );
    expect(trail.text).not.toContain(key);
  });

  it('should accept both secrets during the overlap of a rotation, and only the new secret without an overlap', async () => {
    const { id, key } = await made({ scopes: ['records:read'] });
    const rotate = async (overlap_seconds: number): Promise<string> =>
      (await catalog.send<{ key: string }>('POST', `${path}/${String(id)}/rotate`, { overlap_seconds })).body.key;
    const second = await rotate(60);
    expect([await reading(key), await reading(second)]).toEqual(['200', '200']);
    const third = await rotate(0);
    expect([await reading(second), await reading(third)]).toEqual(['403 key.unknown', '200']);
    expect(await reading(key)).toBe('403 key.unknown');
  });

  it('should refuse a revoked or ended key at its next request, and refuse to reuse its name', async () => {
    const { id, name, key } = await made({ scopes: ['records:read'] });
    expect((await catalog.send('DELETE', `${path}/${String(id)}`)).status).toBe(204);
    expect((await catalog.send('DELETE', `${path}/${String(id)}`)).status).toBe(204);
    expect(await reading(key)).toBe('403 key.unknown');
    expect((await catalog.send('POST', `${path}/${String(id)}/rotate`)).status).toBe(404);
    expect(await catalog.fieldsRefused('POST', path, { name, scopes: ['bulk'] })).toEqual(['name']);
    expect(await catalog.trail('service-keys', id)).toEqual(['create', 'revoke']);
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

  it('should read all records without limits, and only the records of the named projects with a limit', async () => {
    const all = await made({ scopes: ['records:read'] });
    expect(await seen('/api/datasets', all.key)).toEqual(['1', '2', '3', '8']);
    const { key } = await made({ scopes: ['records:read'], projects: ['RDC_1', 'RDC_99'] });
    expect(await seen('/api/projects', key)).toEqual(['1']);
    expect(await seen('/api/datasets', key)).toEqual(['1']);
    expect(await seen('/api/contracts?all=true', key)).toEqual(['1']);
    expect((await catalog.send('GET', '/api/datasets/RDC_12', undefined, key)).status).toBe(404);
    expect((await catalog.send('GET', '/api/datasets/2/exposures', undefined, key)).status).toBe(404);
    const partners = await catalog.send<{ results: unknown[] }>('GET', '/api/partners', undefined, key);
    expect(partners.body.results).toEqual([]);
    const cohorts = await catalog.send<{ results: object[] }>('GET', '/api/cohorts', undefined, key);
    expect(cohorts.body).toEqual((await catalog.send('GET', '/api/cohorts', undefined, null)).body);
    expect(cohorts.body.results).toMatchObject([{ institutes: [] }]);
  });

  it('should write only within the projects of a limited key, and answer hidden records like absent records', async () => {
    const { key } = await made({ scopes: ['records:write'], projects: ['RDC_1'] });
    const send = async (method: string, at: string, body?: object): Promise<number> =>
      (await catalog.send(method, at, body, key)).status;
    expect(await send('POST', '/api/datasets', { name: 'Inside', project: 'ALPHA' })).toBe(201);
    expect(await send('POST', '/api/datasets', { name: 'Outside', project: 'BETA' })).toBe(400);
    expect(await send('POST', '/api/datasets', { name: 'Nowhere' })).toBe(400);
    expect(await send('PATCH', '/api/datasets/1', { description: 'new' })).toBe(200);
    expect(await send('PATCH', '/api/datasets/1', { project: 'BETA' })).toBe(400);
    for (const [method, body] of [
      ['PATCH', { description: 'new' }],
      ['PUT', { name: 'Mine', project: 'ALPHA' }],
      ['DELETE'],
    ] as const) {
      expect([method, await send(method, '/api/datasets/2', body)]).toEqual([method, 404]);
    }
    expect(await send('PUT', '/api/datasets/RDC_77', { name: 'Mine', project: 'ALPHA' })).toBe(404);
    expect(await send('POST', '/api/projects', { acronym: 'MINE' })).toBe(403);
    expect(await send('POST', '/api/contracts', { name: 'Third', project_id: 1 })).toBe(201);
    expect(await send('POST', '/api/contracts', { name: 'Third', project_id: 2 })).toBe(400);
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

  it('should record the location of a dataset without reading the dataset, and name the program in the audit trail', async () => {
    const { name, key } = await made({ scopes: ['storages:write'] });
    const storage = { platform: 'Data storage', location: 'data/raw/RDC_13/', category: 'master' };
    const at = '/api/datasets/RDC_13/storages';
    expect((await catalog.send('POST', at, storage, key)).status).toBe(204);
    expect((await catalog.send('POST', at, storage, key)).status).toBe(204);
    expect((await catalog.send('GET', '/api/datasets/RDC_13', undefined, key)).status).toBe(403);
    const shown = async (): Promise<unknown> =>
      (await catalog.send<{ storages: unknown }>('GET', '/api/datasets/RDC_13')).body.storages;
    expect(await shown()).toEqual([{ ...storage, accesses: [] }]);
    const named = new URLSearchParams({ platform: storage.platform, location: storage.location }).toString();
    expect((await catalog.send('DELETE', `${at}?${named}`, undefined, key)).status).toBe(204);
    expect(await shown()).toEqual([]);
    expect((await catalog.send('POST', '/api/datasets/RDC_999/storages', storage, key)).status).toBe(404);
    const actors = await catalog.dataSource.query<{ actor: string }[]>(
      `SELECT actor FROM audit_entries WHERE resource = 'datasets' AND record_id = '3'`,
    );
    expect(actors).toEqual([{ actor: `service:${name}` }, { actor: `service:${name}` }]);
  });

  describe('catalog key service', () => {
    const run = async (...args: string[]): Promise<string> => {
      const lines: string[] = [];
      const settings = catalogSettings(catalog.environment);
      await serviceKeyCommand.run(
        args,
        commandContext(settings, (line) => lines.push(line)),
      );
      return lines.join('\n');
    };

    it('should print a key that the catalog accepts', async () => {
      const key = await run('by-command', '--scope', 'records:read', '--scope', 'imports:read', '--submissions', 'S-');
      expect(isServiceKey(key)).toBe(true);
      expect(await reading(key)).toBe('200');
      const { body } = await catalog.send<{ items: ServiceKey[] }>('GET', `${path}?q=by-com`);
      expect(body.items).toMatchObject([{ scopes: ['records:read', 'imports:read'], submissions: ['S-'] }]);
    });

    it.each([
      [[], 'The name of the program is missing'],
      [['one'], 'At least one --scope is required'],
      [['one', '--scope', 'admin'], 'Unknown scope "admin"'],
      [['one', '--scope', 'bulk', '--expires', 'yesterday'], 'must be a future date'],
      [['by-command', '--scope', 'bulk'], 'must be a name that no service key has or had'],
    ])('should refuse %j', async (args, problem) => {
      await expect(run(...args)).rejects.toThrow(problem);
    });
  });
});
