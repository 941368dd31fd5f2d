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

  const agreement = { name: 'Agreement', project_id: 1, partners: [{ ...role, contacts: [{ first_name: 'Max' }] }] };
  const create = () => catalog.send('POST', '/api/contracts', agreement);
  const pathOf = (contract: Document): string => `/api/contracts/${String(contract['id'])}`;

  it('should create a contract and return its location and the body of a GET', async () => {
    const created = await create();
    expect(created).toMatchObject({ status: 201, body: { name: 'Agreement', comments: null, partners: [role] } });
    expect(created.headers.get('location')).toBe(pathOf(created.body));
    expect((await catalog.read(pathOf(created.body))).body).toEqual(created.body);
  });

  it('should change only the given members', async () => {
    const { body } = await create();
    const changed = await catalog.send('PATCH', pathOf(body), { comments: 'Signed' });
    expect(changed.body).toEqual({ ...body, comments: 'Signed' });
  });

  it.each(['999', 'Agreement'])('should not find the contract %s, because only ids name contracts', async (name) => {
    await create();
    expect((await catalog.send('PUT', `/api/contracts/${name}`, agreement)).status).toBe(404);
  });

  it('should remove a contract with its contacts', async () => {
    const partners = [{ ...role, contacts: [{ first_name: 'Solo' }] }];
    const { body } = await catalog.send('POST', '/api/contracts', { ...agreement, partners });
    expect((await catalog.send('DELETE', pathOf(body))).status).toBe(204);
    expect((await catalog.read(pathOf(body))).status).toBe(404);
    expect(await catalog.dataSource.query(`SELECT FROM contacts WHERE first_name = 'Solo'`)).toEqual([]);
  });

  it('should prevent the removal of a partner of a contract', async () => {
    const created = await catalog.send('POST', '/api/contracts', { name: 'Holding', partners: [role] });
    const refused = await catalog.send('DELETE', '/api/partners/1');
    expect(refused).toMatchObject({ status: 400, body: { more: { code: 'record.in_use' } } });
    expect(refused.body['more']).toMatchObject({ users: { contracts: expect.any(Number) as number } });
    await catalog.send('DELETE', pathOf(created.body));
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
      'partners[0].contacts[0].first_name',
      { partners: [{ ...role, contacts: [{ first_name: 'x'.repeat(10_001) }] }] },
      'at most 10000',
    ],
    ['external_id', { external_id: 'x' }, 'is not known here'],
  ])('should refuse an invalid %s (case %#)', async (field, members, problem) => {
    const answer = await catalog.send('POST', '/api/contracts', { name: 'Bad', ...members });
    expect([answer.status, problemsIn(answer)]).toEqual([400, { [field]: expect.stringContaining(problem) as string }]);
  });
});
