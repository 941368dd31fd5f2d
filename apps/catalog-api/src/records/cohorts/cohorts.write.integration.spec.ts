import { problemsIn, startWritableCatalog, type Document, type WritableCatalog } from '../../../test/writing.js';

describe('POST and PUT /api/cohorts', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    await catalog.send('POST', '/api/partners', { name: 'First University', acronym: 'FU', external_id: 'P-1' });
    await catalog.send('POST', '/api/partners', { name: 'Second Hospital', acronym: 'SH' });
    await catalog.send('POST', '/api/partners', { name: 'Third Hospital', acronym: 'SH' });
  });

  afterAll(() => catalog.stop());

  let counter = 0;
  const aCohort = (members: Document = {}): Document => ({ name: `Cohort ${String(++counter)}`, ...members });
  const max = {
    email: 'max@example.org',
    first_name: 'Max',
    last_name: 'Weber',
    address: 'Street 1',
    phone: '+352 1',
    type: 'Researcher',
    partners: [{ acronym: 'FU', name: 'First University' }],
  };

  it('should accept institutes by id, accession, name and acronym', async () => {
    const created = await catalog.send(
      'POST',
      '/api/cohorts',
      aCohort({ institutes: ['Second Hospital', 'P-1', 'FU', 1] }),
    );
    expect([created.status, created.body['institutes']]).toEqual([201, [2, 1]]);
  });

  it('should store a contact, and reuse an existing contact with equal values', async () => {
    const first = await catalog.send('POST', '/api/cohorts', aCohort({ contacts: [max] }));
    const second = await catalog.send('POST', '/api/cohorts', aCohort({ contacts: [max, { first_name: 'Solo' }] }));
    const [contact] = first.body['contacts'] as Document[];
    expect(contact).toEqual({ ...max, pk: expect.any(String) as string, oidc_id: null });
    const [same, solo] = second.body['contacts'] as Document[];
    expect(same).toEqual(contact);
    expect(solo).toMatchObject({ first_name: 'Solo', last_name: '-', email: null, type: 'Other', partners: [] });
  });

  it('should create a new contact when its values differ from a contact of another cohort', async () => {
    const first = await catalog.send('POST', '/api/cohorts', aCohort({ contacts: [max] }));
    const second = await catalog.send('POST', '/api/cohorts', aCohort({ contacts: [{ ...max, phone: '+352 2' }] }));
    expect((second.body['contacts'] as Document[])[0]).toMatchObject({ phone: '+352 2' });
    const again = await catalog.read(`/api/cohorts/${String(first.body['id_at_source'])}`);
    expect(again.body).toEqual(first.body);
  });

  it('should update the contact with the same identifier at the identity provider', async () => {
    const person = { ...max, oidc_id: 'subject-of-max', email: 'm@example.org' };
    const first = await catalog.send('POST', '/api/cohorts', aCohort({ contacts: [person] }));
    await catalog.send('POST', '/api/cohorts', aCohort({ contacts: [{ ...person, phone: '+352 3' }] }));
    const { body } = await catalog.read(`/api/cohorts/${String(first.body['id_at_source'])}`);
    expect(body['contacts']).toEqual([{ ...(first.body['contacts'] as Document[])[0], phone: '+352 3' }]);
  });

  it('should remove contacts to which nothing refers any more', async () => {
    const lost = { first_name: 'Lost', last_name: 'Soul' };
    const created = await catalog.send('POST', '/api/cohorts', aCohort({ contacts: [lost, { ...lost, phone: '1' }] }));
    const path = `/api/cohorts/${String(created.body['id_at_source'])}`;
    const count = async (): Promise<number> =>
      (await catalog.dataSource.query<unknown[]>(`SELECT FROM contacts WHERE last_name = 'Soul'`)).length;
    expect(await count()).toBe(2);
    await catalog.send('PATCH', path, { contacts: [lost] });
    expect(await count()).toBe(1);
    await catalog.send('DELETE', path);
    expect(await count()).toBe(0);
  });

  it('should report all missing partners, and create those with a name with create_missing=true', async () => {
    const document = aCohort({
      institutes: ['Nowhere', 77_777],
      contacts: [{ ...max, partners: [{ name: 'Nobody Ltd' }] }],
    });
    const refused = await catalog.send('POST', '/api/cohorts', document);
    expect(refused.status).toBe(400);
    expect(Object.keys(problemsIn(refused))).toEqual(['contacts[0].partners[0]', 'institutes[0]', 'institutes[1]']);
    expect(problemsIn(refused)['institutes[0]']).toContain('names the partner "Nowhere", which does not exist');
    const still = await catalog.send('POST', '/api/cohorts?create_missing=true', document);
    expect(Object.keys(problemsIn(still))).toEqual(['institutes[1]']);
    expect((await catalog.send('GET', '/api/partners')).body['results']).toHaveLength(3);
    const created = await catalog.send('POST', '/api/cohorts?create_missing=true', {
      ...document,
      institutes: ['Nowhere'],
    });
    expect(created.status).toBe(201);
    const partners = (await catalog.send('GET', '/api/partners')).body['results'] as Document[];
    expect(partners.map(({ name }) => name)).toEqual(expect.arrayContaining(['Nowhere', 'Nobody Ltd']));
  });

  it('should refuse an acronym that several partners have', async () => {
    const answer = await catalog.send('POST', '/api/cohorts?create_missing=true', aCohort({ institutes: ['SH'] }));
    expect(problemsIn(answer)['institutes[0]']).toContain('which several partners have');
  });

  it.each([
    ['institutes', ['a', null], 'institutes[1]', 'must be a whole number or text'],
    ['institutes', [1.5], 'institutes[0]', 'must be a whole number or text'],
    ['institutes', [-1], 'institutes[0]', 'must be at least 1'],
    ['institutes', [9e9], 'institutes[0]', 'must be at most 2147483647'],
    ['institutes', null, 'institutes', 'must be a list'],
    ['institutes', {}, 'institutes', 'must be a list'],
    ['contacts', [null], 'contacts[0]', 'must be a JSON object'],
    ['contacts', [{ nick: 'x' }], 'contacts[0].nick', 'is not known here'],
    ['contacts', [{ type: 'researcher' }], 'contacts[0].type', 'must be one of Researcher'],
    ['contacts', [{ partners: ['x'] }], 'contacts[0].partners[0]', 'must be a JSON object'],
    ['contacts', [{ partners: [{}] }], 'contacts[0].partners[0].name', 'is missing'],
    ['contacts', [{ email: 'x'.repeat(255) }], 'contacts[0].email', 'must have at most 254 characters'],
    ['url', 'x'.repeat(2001), 'url', 'must have at most 2000 characters'],
    ['has_ethics_approval', 'true', 'has_ethics_approval', 'must be true or false'],
    ['description', [], 'description', 'must be text or null'],
    ['published', 'x', 'published', 'must be true or false'],
  ])('should refuse an invalid %s (case %#)', async (member, value, field, problem) => {
    const answer = await catalog.send('POST', '/api/cohorts', aCohort({ [member]: value }));
    expect([answer.status, problemsIn(answer)]).toEqual([400, { [field]: expect.stringContaining(problem) as string }]);
  });

  it.each(['', 'yes', 'TRUE'])('should refuse create_missing=%s', async (value) => {
    const answer = await catalog.send('POST', `/api/cohorts?create_missing=${value}`, aCohort());
    expect(problemsIn(answer)).toEqual({ create_missing: 'must be true or false' });
  });
});
