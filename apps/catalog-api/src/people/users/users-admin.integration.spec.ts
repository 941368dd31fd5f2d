import { administered, type Administered } from '../../../test/administered.js';

interface User {
  id: number;
  last_name: string;
  email: string | null;
  roles: string[];
  active: boolean;
  key: { valid: boolean; expires_at: string | null } | null;
}

interface Page {
  items: User[];
  total: number;
  next_cursor: string | null;
}

describe('/api/admin/users', () => {
  let catalog: Administered;

  beforeAll(async () => {
    catalog = await administered([
      { record: 'user', id: 101, first_name: 'Zoé', last_name: 'adams', email: 'zoe@example.org', roles: ['auditor'] },
      { record: 'user', id: 102, first_name: 'Abe', last_name: 'Adams', active: false },
      { record: 'user', id: 103, first_name: '100%', last_name: 'Brown', subject: 'kc-brown' },
      { record: 'project', id: 1, external_id: 'RDC_1', acronym: 'ALPHA', name: 'Alpha', custodians: [103] },
      { record: 'dataset', id: 1, external_id: 'RDC_2', uuid: '6f0e8a52-0000-4000-8000-000000000001', name: 'Genomes' },
    ]);
  });

  afterAll(() => catalog.stop());

  const search = async (query: string): Promise<[string[], number]> => {
    const { status, body } = await catalog.send<Page>('GET', `/api/admin/users?${query}`);
    expect(status).toBe(200);
    return [body.items.map((user) => user.last_name), body.total];
  };

  it.each([
    ['GET', '/api/admin/users'],
    ['POST', '/api/admin/users'],
    ['GET', '/api/admin/users/101'],
    ['PATCH', '/api/admin/users/101'],
    ['DELETE', '/api/admin/users/101'],
    ['POST', '/api/admin/users/101/key'],
    ['DELETE', '/api/admin/users/101/key'],
  ])('should refuse %s %s for every caller except administrators', async (method, path) => {
    expect(await catalog.refusals(method, path)).toEqual(catalog.allRefused);
  });

  it('should admit an administrator with a session', async () => {
    expect((await catalog.administrator.fetch('/api/admin/users')).status).toBe(200);
    const response = await catalog.administrator.fetch('/api/admin/users/102', { method: 'PATCH', json: {} });
    expect(response.status).toBe(200);
  });

  it('should list users by last and first name, without case, in consecutive pages', async () => {
    const first = await catalog.send<Page>('GET', '/api/admin/users?limit=1&q=ada');
    const second = await catalog.send<Page>(
      'GET',
      `/api/admin/users?limit=1&q=ada&cursor=${String(first.body.next_cursor)}`,
    );
    expect([first.body.total, second.body.total]).toEqual([2, 2]);
    expect([...first.body.items, ...second.body.items].map(({ id }) => id)).toEqual([102, 101]);
    expect(second.body.next_cursor).toBeNull();
  });

  it('should search names, e-mail addresses and subjects literally, without case and accents', async () => {
    expect(await search('q=ZOE+ad')).toEqual([['adams'], 1]);
    expect(await search('q=zo%C3%A9%40EXAMPLE')).toEqual([['adams'], 1]);
    expect(await search('q=KC-')).toEqual([['Brown'], 1]);
    expect(await search('q=100%25')).toEqual([['Brown'], 1]);
    expect(await search('q=%25_%5C')).toEqual([[], 0]);
    expect(await search(`q=${encodeURIComponent(`'; DROP TABLE users; --`)}`)).toEqual([[], 0]);
    expect(await search('active=false')).toEqual([['Adams'], 1]);
    expect(await search('role=auditor&q=adams')).toEqual([['adams'], 1]);
    expect(await search('source=identity_provider')).toEqual([['Brown'], 1]);
    expect(await search('source=local&q=adams')).toEqual([['Adams', 'adams'], 2]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('["a", "b", 3000000000]').toString('base64url')}`, 'cursor'],
    ['role=king', 'role'],
    ['source=book', 'source'],
    ['active=perhaps', 'active'],
    ['q=a%00b', 'q'],
    ['q=a&q=b', 'q'],
    [`q=${'x'.repeat(201)}`, 'q'],
  ])('should refuse the query %s', async (query, field) => {
    expect(await catalog.fieldsRefused('GET', `/api/admin/users?${query}`)).toEqual([field]);
  });

  it('should create a user, and refuse another user with the same e-mail address or subject', async () => {
    const input = {
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'Ada@example.org',
      subject: 'kc-ada',
      roles: ['legal'],
    };
    const { status, body } = await catalog.send<User>('POST', '/api/admin/users', input);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...input, active: true, principal_investigator: false, technical: false, key: null });
    expect((await catalog.send<User>('GET', `/api/admin/users/${String(body.id)}`)).body).toEqual(body);
    expect(await catalog.fieldsRefused('POST', '/api/admin/users', input)).toEqual(['subject']);
    const others = { ...input, email: 'ADA@EXAMPLE.ORG', subject: null };
    expect(await catalog.fieldsRefused('POST', '/api/admin/users', others)).toEqual(['email']);
    expect(await catalog.fieldsRefused('POST', '/api/admin/users', { ...input, email: null })).toEqual(['subject']);
    expect(await catalog.trail('users', body.id)).toEqual(['create']);
  });

  it.each([
    [{}, ['last_name']],
    [{ last_name: '' }, ['last_name']],
    [{ last_name: null }, ['last_name']],
    [{ last_name: 7, first_name: ['a'] }, ['first_name', 'last_name']],
    [{ last_name: 'x'.repeat(256) }, ['last_name']],
    [{ last_name: 'x', email: 'not one' }, ['email']],
    [{ last_name: 'x', roles: ['king'] }, ['roles']],
    [{ last_name: 'x', roles: ['legal', 'legal'] }, ['roles']],
    [{ last_name: 'x', roles: 'legal' }, ['roles']],
    [{ last_name: 'x', roles: null }, ['roles']],
    [{ last_name: 'x', active: 'yes' }, ['active']],
    [{ last_name: 'x', key_hash: 'mine', id: 1 }, ['id', 'key_hash']],
    [[], ['']],
  ])('should refuse to create %j', async (body, fields) => {
    expect(await catalog.fieldsRefused('POST', '/api/admin/users', body)).toEqual(fields);
  });

  it('should change only the given members, and update the documents', async () => {
    const path = '/api/admin/users/103';
    const changes = { first_name: 'Bea', principal_investigator: true };
    const { status, body } = await catalog.send<User>('PATCH', path, changes);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...changes, last_name: 'Brown', subject: 'kc-brown' });
    expect((await catalog.send<User>('PATCH', path, changes)).body).toEqual(body);
    expect(await catalog.trail('users', 103)).toEqual(['update']);
    const [document] = await catalog.dataSource.query<{ body: string }[]>('SELECT body FROM project_documents');
    expect(document?.body).toContain('"Bea"');
    expect(await catalog.fieldsRefused('PATCH', path, { email: 'ZOE@example.org' })).toEqual(['email']);
    expect(await catalog.fieldsRefused('PATCH', path, { last_name: null, shoe_size: 42 })).toEqual([
      'last_name',
      'shoe_size',
    ]);
    expect((await catalog.send('PATCH', path, undefined)).status).toBe(400);
  });

  it.each(['0', '999999', '99999999999', 'abc', '1;2', '-1', '1.5'])('should not find user %s', async (id) => {
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      expect((await catalog.send(method, `/api/admin/users/${id}`, method === 'PATCH' ? {} : undefined)).status).toBe(
        404,
      );
    }
    expect((await catalog.send('POST', `/api/admin/users/${id}/key`)).status).toBe(404);
  });

  it('should remove a user without references, and report the references of other users', async () => {
    const { body } = await catalog.send<User>('POST', '/api/admin/users', { last_name: 'Brief' });
    const path = `/api/admin/users/${String(body.id)}`;
    expect((await catalog.send('DELETE', path)).status).toBe(204);
    expect((await catalog.send('DELETE', path)).status).toBe(404);
    expect(await catalog.trail('users', body.id)).toEqual(['create', 'remove']);
    const refused = await catalog.send<{ more: object }>('DELETE', '/api/admin/users/103');
    expect(refused.status).toBe(400);
    expect(refused.body.more).toMatchObject({ code: 'record.in_use', users: { projects: 1 } });
  });

  describe('key', () => {
    const userPath = '/api/admin/users/101';

    it('should show a key once, replace the previous key, and refuse the key after its revocation', async () => {
      const first = await catalog.send<{ key: string; expires_at: null }>('POST', `${userPath}/key`);
      const second = await catalog.send<{ key: string }>('POST', `${userPath}/key`, {});
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(first.body).toEqual({ key: expect.stringMatching(/^\w{48}$/) as string, expires_at: null });
      expect(await catalog.accepts(first.body.key)).toBe(false);
      expect(await catalog.accepts(second.body.key)).toBe(true);
      const shown = await catalog.send<User>('GET', userPath);
      expect(shown.body.key).toMatchObject({ valid: true, expires_at: null });
      expect(JSON.stringify(shown.body)).not.toContain(second.body.key);
      expect((await catalog.send('DELETE', `${userPath}/key`)).status).toBe(204);
      expect((await catalog.send('DELETE', `${userPath}/key`)).status).toBe(204);
      expect(await catalog.accepts(second.body.key)).toBe(false);
      expect(await catalog.trail('users', 101)).toEqual(['issue-key', 'issue-key', 'revoke-key']);
    });

    it('should refuse a key after its end, and refuse an end in the past', async () => {
      const end = new Date(Date.now() + 3_600_000).toISOString();
      const issued = await catalog.send<{ expires_at: string }>('POST', `${userPath}/key`, { expires_at: end });
      expect(issued.body.expires_at).toBe(end);
      expect((await catalog.send<User>('GET', userPath)).body.key).toMatchObject({ expires_at: end, valid: true });
      for (const expires_at of ['2001-01-01T00:00:00Z', 'tomorrow', '2027-02-30T00:00:00Z', '2999-W01-1', 7, {}]) {
        expect(await catalog.fieldsRefused('POST', `${userPath}/key`, { expires_at })).toEqual(['expires_at']);
      }
    });

    it('should refuse the key of a deactivated user, and refuse to issue a new key', async () => {
      const { body } = await catalog.send<{ key: string }>('POST', `${userPath}/key`);
      await catalog.send('PATCH', userPath, { active: false });
      expect(await catalog.accepts(body.key)).toBe(false);
      expect((await catalog.send('POST', `${userPath}/key`)).status).toBe(400);
      expect((await catalog.send<User>('GET', userPath)).body.key).toMatchObject({ valid: false });
    });
  });

  it('should write no key, hash or password into the audit trail', async () => {
    const [{ text }] = await catalog.dataSource.query<[{ text: string }]>(
      `SELECT string_agg(audit_entries::text, ' ') AS text FROM audit_entries`,
    );
    expect(text).not.toMatch(/hash|[0-9a-f]{64}/);
  });
});
