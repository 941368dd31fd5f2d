import { problemsIn, startWritableCatalog, type Document, type WritableCatalog } from '../../../test/writing.js';

describe('POST, PUT, PATCH and DELETE /api/contracts', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    await catalog.fill([
      { record: 'partner', id: 1, name: 'University', acronym: 'UNI' },
      { record: 'project', id: 1, external_id: 'P-1', acronym: 'ALPHA' },
    ]);
  });

  afterAll(() => catalog.stop());

  const role = { partner: 'University', partner_roles: ['processor', 'controller'], comments: null };

  it('should create a contract, and change and remove it by its id only', async () => {
    const document = { name: 'Agreement', project_id: 1, partners: [{ ...role, contacts: [{ first_name: 'Max' }] }] };
    const created = await catalog.send('POST', '/api/contracts', document);
    expect(created).toMatchObject({ status: 201, body: { name: 'Agreement', comments: null, partners: [role] } });
    const path = `/api/contracts/${String(created.body['id'])}`;
    expect(created.headers.get('location')).toBe(path);
    expect((await catalog.read(path)).body).toEqual(created.body);
    const changed = await catalog.send('PATCH', path, { comments: 'Signed' });
    expect(changed.body).toEqual({ ...created.body, comments: 'Signed' });
    expect((await catalog.send('PUT', '/api/contracts/999', document)).status).toBe(404);
    expect((await catalog.send('PUT', '/api/contracts/Agreement', document)).status).toBe(404);
    expect((await catalog.send('DELETE', path)).status).toBe(204);
    expect((await catalog.read(path)).status).toBe(404);
    expect(await catalog.dataSource.query('SELECT FROM contacts')).toEqual([]);
  });

  it('should prevent the removal of a partner of a contract', async () => {
    const created = await catalog.send('POST', '/api/contracts', { name: 'Holding', partners: [role] });
    const refused = await catalog.send('DELETE', '/api/partners/1');
    expect(refused).toMatchObject({ status: 400, body: { more: { users: { contracts: 1 } } } });
    await catalog.send('DELETE', `/api/contracts/${String(created.body['id'])}`);
  });

  it.each<[string, Document, string]>([
    ['name', { name: undefined }, 'is missing'],
    ['name', { name: 5 }, 'must be text'],
    ['name', { name: 'x'.repeat(201) }, 'must have at most 200 characters'],
    ['project_id', { project_id: '1' }, 'must be a whole number or null'],
    ['project_id', { project_id: 0 }, 'must be at least 1'],
    ['project_id', { project_id: 2 ** 40 }, 'must be at most 2147483647'],
    ['project_id', { project_id: 77 }, 'names the project 77, which does not exist'],
    ['partners[0].partner', { partners: [{}] }, 'is missing'],
    ['partners[0].partner', { partners: [{ partner: 'Unknown' }] }, 'names the partner "Unknown"'],
    [
      'partners[0].partner_roles[0]',
      { partners: [{ ...role, partner_roles: ['Processor'] }] },
      'must be one of controller',
    ],
    [
      'partners[0].contacts[0].phone',
      { partners: [{ ...role, contacts: [{ phone: 'x'.repeat(101) }] }] },
      'at most 100',
    ],
    ['external_id', { external_id: 'x' }, 'is not known here'],
  ])('should refuse an invalid %s (case %#)', async (field, members, problem) => {
    const answer = await catalog.send('POST', '/api/contracts', { name: 'Bad', ...members });
    expect([answer.status, problemsIn(answer)]).toEqual([400, { [field]: expect.stringContaining(problem) as string }]);
  });
});
