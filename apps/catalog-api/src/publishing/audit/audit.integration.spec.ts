import { administered, type Administered } from '../../../test/administered.js';
import { signedInWith } from '../../../test/signed-in.js';

interface Entry {
  id: string;
  at: string;
  actor: string;
  actor_name: string | null;
  action: string;
  resource: string;
  record_id: string;
  before: unknown;
  after: unknown;
  request_id: string | null;
}

interface Page {
  items: Entry[];
  next_cursor: string | null;
}

describe('GET /api/admin/audit', () => {
  let catalog: Administered;
  const path = '/api/admin/audit';

  beforeAll(async () => {
    catalog = await administered([{ record: 'user', id: 1, first_name: 'Ada', last_name: 'Byron' }]);
    await catalog.dataSource.query(
      `INSERT INTO audit_entries (at, actor, action, resource, record_id, before, after)
       SELECT '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 day', CASE WHEN n % 2 = 0 THEN 'user:1' ELSE 'job' END,
              'update', 'datasets', '7', '{"n": 1}', NULL
         FROM generate_series(1, 5) AS n`,
    );
  });

  afterAll(() => catalog.stop());

  const read = async (query: string): Promise<Entry[]> => {
    const { status, body } = await catalog.send('GET', `${path}?${query}`);
    expect(status).toBe(200);
    return body.items;
  };

  /** Returns the status, and the kinds of record whose entries a caller with the role reads. */
  const readBy = async (role: string, query = ''): Promise<[number, string[]]> => {
    const browser = await signedInWith(catalog, role);
    const response = await browser.fetch(`${path}${query}`);
    const { items } = (await response.json()) as { items?: Entry[] };
    return [response.status, [...new Set((items ?? []).map(({ resource }) => resource))].sort()];
  };

  it('should refuse callers with a key, or with a role that neither audits nor curates', async () => {
    const { 'session without the role': auditor, ...keys } = await catalog.refusals('GET', path);
    expect({ ...keys, 'session without the role': '403 access.denied' }).toEqual(catalog.allRefused);
    expect(auditor).toBe('200 ');
    expect(await readBy('legal')).toEqual([403, []]);
  });

  it('should return all entries to auditors, and those of curated records to data stewards', async () => {
    await catalog.dataSource.query(
      `INSERT INTO audit_entries (actor, action, resource, record_id) VALUES ('global', 'create', 'users', '1')`,
    );
    expect(await readBy('auditor')).toEqual([200, expect.arrayContaining(['datasets', 'users'])]);
    expect(await readBy('data_steward')).toEqual([200, ['datasets']]);
    expect(await readBy('data_steward', '?resource=datasets&record_id=7')).toEqual([200, ['datasets']]);
    expect(await readBy('data_steward', '?resource=users&record_id=1')).toEqual([403, []]);
    await catalog.dataSource.query(
      `INSERT INTO audit_entries (actor, action, resource, record_id, after)
       VALUES ('global', 'expose', 'exposures', '1', '{"dataset_id": 7}')`,
    );
    expect(await readBy('data_steward', '?resource=datasets&record_id=7')).toEqual([200, ['datasets', 'exposures']]);
    expect(await readBy('data_steward', '?resource=exposures')).toEqual([200, ['exposures']]);
    expect(await readBy('data_steward', '?resource=datasets&record_id=8')).toEqual([200, []]);
  });

  it('should record the actor, the record before and after, and the request of a write', async () => {
    const { headers } = await catalog.send('PATCH', '/api/admin/users/1', { active: false });
    const [entry] = await read('resource=users&record_id=1&action=update');
    expect(entry).toMatchObject({
      actor: 'global',
      actor_name: null,
      before: { active: true },
      after: { active: false },
    });
    expect(entry?.request_id).toBe(headers.get('x-request-id'));
  });

  it('should filter entries by record, actor, action and time, newest first', async () => {
    expect((await read('resource=datasets')).map(({ at }) => at.slice(0, 10))).toEqual([
      '2020-01-06',
      '2020-01-05',
      '2020-01-04',
      '2020-01-03',
      '2020-01-02',
    ]);
    expect((await read('actor=user:1')).map(({ actor_name }) => actor_name)).toEqual(['Ada Byron', 'Ada Byron']);
    expect(await read('actor=user:1&action=remove')).toEqual([]);
    expect(await read('resource=datasets&from=2020-01-03T00:00:00Z&until=2020-01-05T00:00:00Z')).toHaveLength(2);
    expect(await read('until=2020-01-03T00:30:00%2B01:00')).toHaveLength(1);
    expect(await read('until=2020-01-03T23:30:00%2B23:59')).toHaveLength(1);
  });

  it('should return every entry once when the trail is read in pages', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `resource=datasets&limit=2${cursor && `&cursor=${cursor}`}`;
      const { body }: { body: Page } = await catalog.send('GET', `${path}?${query}`);
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.next_cursor;
    }
    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => Number(b) - Number(a)));
  });

  it.each([
    ['record_id=1', 'resource'],
    ['actor=', 'actor'],
    ['from=yesterday', 'from'],
    ['from=0000-01-01T00:00:00Z', 'from'],
    ['until=2020-01-01', 'until'],
    ['limit=0', 'limit'],
    ['cursor=WyJhIl0', 'cursor'],
    ['action=a&action=b', 'action'],
    ['resource=a%00', 'resource'],
  ])('should refuse %s', async (query, field) => {
    expect(await catalog.fieldsRefused('GET', `${path}?${query}`)).toEqual([field]);
  });

  it('should refuse to write entries', async () => {
    expect((await catalog.send('POST', path, {})).status).toBe(405);
    expect((await catalog.send('DELETE', path)).status).toBe(405);
  });
});
