import { administered, type Administered } from '../../../test/administered.js';

describe('/api/admin/users', () => {
  let catalog: Administered;

  beforeAll(async () => {
    catalog = await administered([
      { record: 'user', id: 101, first_name: 'Zoé', last_name: 'adams', email: 'zoe@example.org', roles: ['auditor'] },
      { record: 'user', id: 102, first_name: 'Abe', last_name: 'Adams', active: false },
      { record: 'user', id: 103, first_name: '100%', last_name: 'Brown', subject: 'kcx-brown' },
      { record: 'user', id: 104, first_name: 'Bo', last_name: 'Custodian' },
      { record: 'project', id: 1, external_id: 'RDC_1', acronym: 'ALPHA', name: 'Alpha', custodians: [104] },
      { record: 'dataset', id: 1, external_id: 'RDC_2', uuid: '6f0e8a52-0000-4000-8000-000000000001', name: 'Genomes' },
    ]);
  });

  afterAll(() => catalog.stop());

  const search = async (query: string): Promise<[string[], number]> => {
    const { status, body } = await catalog.send('GET', `/api/admin/users?${query}`);
    expect(status).toBe(200);
    return [body.items.map((user) => user.last_name), body.total];
  };

  /** Creates a user and returns the path of the user. */
  const createUser = async (user: object): Promise<`/api/admin/users/${string}`> => {
    const { status, body } = await catalog.send('POST', '/api/admin/users', user);
    expect(status).toBe(201);
    return `/api/admin/users/${String(body.id)}`;
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
    const first = await catalog.send('GET', '/api/admin/users?limit=1&q=adams');
    const second = await catalog.send(
      'GET',
      `/api/admin/users?limit=1&q=adams&cursor=${String(first.body.next_cursor)}`,
    );
    expect([first.body.total, second.body.total]).toEqual([2, 2]);
    expect([...first.body.items, ...second.body.items].map(({ id }) => id)).toEqual([102, 101]);
    expect(second.body.next_cursor).toBeNull();
  });

  it('should search names, e-mail addresses and subjects literally, without case and accents', async () => {
    expect(await search('q=ZOE+ad')).toEqual([['adams'], 1]);
    expect(await search('q=zo%C3%A9%40EXAMPLE')).toEqual([['adams'], 1]);
    expect(await search('q=KCX-')).toEqual([['Brown'], 1]);
    expect(await search('q=100%25')).toEqual([['Brown'], 1]);
    expect(await search('q=%25_%5C')).toEqual([[], 0]);
    expect(await search(`q=${encodeURIComponent(`'; DROP TABLE users; --`)}`)).toEqual([[], 0]);
    expect(await search('active=false&q=adams')).toEqual([['Adams'], 1]);
    expect(await search('role=auditor&q=adams')).toEqual([['adams'], 1]);
    expect(await search('source=identity_provider&q=brown')).toEqual([['Brown'], 1]);
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

  it('should create a user and record the creation', async () => {
    const input = {
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'Ada@example.org',
      subject: 'kc-ada',
      roles: ['legal'],
    };
    const { status, body } = await catalog.send('POST', '/api/admin/users', input);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...input, active: true, principal_investigator: false, technical: false, key: null });
    expect((await catalog.send('GET', `/api/admin/users/${String(body.id)}`)).body).toEqual(body);
    expect(await catalog.trail('users', body.id)).toEqual(['create']);
  });

  it.each([
    ['subject', { subject: 'kcx-brown' }],
    ['email', { email: 'ZOE@EXAMPLE.ORG' }],
  ])('should refuse to create a user when another user has the same %s', async (field, taken) => {
    const input = { last_name: 'Second', ...taken };
    expect(await catalog.fieldsRefused('POST', '/api/admin/users', input)).toEqual([field]);
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

  it('should change only the given members, and record one update when they are sent twice', async () => {
    const path = await createUser({ last_name: 'Green', subject: 'kc-green' });
    const changes = { first_name: 'Eve', principal_investigator: true };
    const { status, body } = await catalog.send('PATCH', path, changes);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...changes, last_name: 'Green', subject: 'kc-green' });
    expect((await catalog.send('PATCH', path, changes)).body).toEqual(body);
    expect(await catalog.trail('users', body.id)).toEqual(['create', 'update']);
  });

  it('should update the document of a project when its custodian changes', async () => {
    await catalog.send('PATCH', '/api/admin/users/104', { first_name: 'Bea' });
    const [document] = await catalog.dataSource.query<{ body: string }[]>('SELECT body FROM project_documents');
    expect(document?.body).toContain('"Bea"');
  });

  it.each([
    [{ email: 'ZOE@example.org' }, ['email']],
    [{ last_name: null, shoe_size: 42 }, ['last_name', 'shoe_size']],
  ])('should refuse to change a user to %j', async (changes, fields) => {
    expect(await catalog.fieldsRefused('PATCH', '/api/admin/users/103', changes)).toEqual(fields);
  });

  it('should refuse a change when the body is empty', async () => {
    expect((await catalog.send('PATCH', '/api/admin/users/103', undefined)).status).toBe(400);
  });

  it.each(['0', '999999', '99999999999', 'abc', '1;2', '-1', '1.5'])('should not find user %s', async (id) => {
    for (const method of ['GET', 'DELETE', 'PATCH']) {
      expect((await catalog.send(method, `/api/admin/users/${id}`, method === 'PATCH' ? {} : undefined)).status).toBe(
        404,
      );
    }
    expect((await catalog.send('POST', `/api/admin/users/${id}/key`)).status).toBe(404);
  });

  it('should remove a user when no record refers to the user', async () => {
    const path = await createUser({ last_name: 'Brief' });
    expect((await catalog.send('DELETE', path)).status).toBe(204);
    expect((await catalog.send('DELETE', path)).status).toBe(404);
    expect(await catalog.trail('users', path.split('/').at(-1) ?? '')).toEqual(['create', 'remove']);
  });

  it('should refuse to remove a user and report the references when a project refers to the user', async () => {
    const refused = await catalog.send('DELETE', '/api/admin/users/104');
    expect(refused.status).toBe(400);
    expect(refused.body.more).toMatchObject({ code: 'record.in_use', users: { projects: 1 } });
  });

  describe('key', () => {
    let userPath: `/api/admin/users/${string}`;

    beforeEach(async () => {
      userPath = await createUser({ last_name: 'Holder' });
    });

    const issue = (body?: object) => catalog.send('POST', `${userPath}/key`, body);

    it('should show a key only in the answer that issues the key', async () => {
      const { status, body } = await issue();
      expect(status).toBe(201);
      expect(body).toEqual({ key: expect.stringMatching(/^\w{48}$/) as string, expires_at: null });
      const shown = await catalog.send('GET', userPath);
      expect(shown.body.key).toMatchObject({ valid: true, expires_at: null });
      expect(JSON.stringify(shown.body)).not.toContain(body.key);
    });

    it('should refuse the previous key when a new key is issued', async () => {
      const [first, second] = [await issue(), await issue({})];
      expect(await catalog.accepts(first.body.key)).toBe(false);
      expect(await catalog.accepts(second.body.key)).toBe(true);
    });

    it('should refuse a key when the key is revoked', async () => {
      const { body } = await issue();
      expect((await catalog.send('DELETE', `${userPath}/key`)).status).toBe(204);
      expect(await catalog.accepts(body.key)).toBe(false);
    });

    it('should record one revocation in the audit trail when a key is revoked twice', async () => {
      await issue();
      for (let times = 0; times < 2; times++) {
        expect((await catalog.send('DELETE', `${userPath}/key`)).status).toBe(204);
      }
      const id = userPath.split('/').at(-1) ?? '';
      expect(await catalog.trail('users', id)).toEqual(['create', 'issue-key', 'revoke-key']);
    });

    it('should issue a key with the given end', async () => {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      expect((await issue({ expires_at })).body.expires_at).toBe(expires_at);
      expect((await catalog.send('GET', userPath)).body.key).toMatchObject({ expires_at, valid: true });
    });

    it.each(['2001-01-01T00:00:00Z', 'tomorrow', '2027-02-30T00:00:00Z', '2999-W01-1', 7, {}])(
      'should refuse to issue a key with the end %j',
      async (expires_at) => {
        expect(await catalog.fieldsRefused('POST', `${userPath}/key`, { expires_at })).toEqual(['expires_at']);
      },
    );

    it('should refuse the key of a deactivated user, and refuse to issue a new key', async () => {
      const { body } = await issue();
      await catalog.send('PATCH', userPath, { active: false });
      expect(await catalog.accepts(body.key)).toBe(false);
      expect((await issue()).status).toBe(400);
      expect((await catalog.send('GET', userPath)).body.key).toMatchObject({ valid: false });
    });
  });

  it('should write no key, hash or password into the audit trail', async () => {
    const path = await createUser({ last_name: 'Audited' });
    await catalog.send('POST', `${path}/key`);
    const [{ text }] = await catalog.dataSource.query<[{ text: string }]>(
      `SELECT string_agg(audit_entries::text, ' ') AS text FROM audit_entries`,
    );
    expect(text).not.toMatch(/hash|[0-9a-f]{64}/);
  });
});
