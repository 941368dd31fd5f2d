import {
  problemsIn,
  startWritableCatalog,
  type Answer,
  type Document,
  type WritableCatalog,
} from '../../../test/writing.js';

describe('POST, PUT and DELETE /api/projects', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog({ HOME_ORGANISATION: 'Home' });
    await catalog.fill([
      { record: 'user', id: 1, email: 'ada@example.org', first_name: 'Ada', last_name: 'Byron' },
      { record: 'user', id: 2, email: 'carl@example.org', first_name: 'Carl', last_name: 'Gauss' },
      { record: 'partner', id: 1, name: 'University' },
      ...['ALPHA', 'BETA', 'GAMMA', 'DELTA'].map((acronym, at) => ({
        ...{ record: 'project', id: at + 1, external_id: acronym, acronym, custodians: [1], personnel: [1, 2] },
      })),
    ]);
  });

  afterAll(() => catalog.stop());

  const ada = {
    first_name: 'Ada',
    last_name: 'Byron',
    email: 'ada@example.org',
    role: 'Principal_Investigator',
    affiliations: ['Home'],
  };
  const carl = {
    first_name: 'Carl',
    last_name: 'Gauss',
    email: 'carl@example.org',
    role: 'Researcher',
    affiliations: ['Home'],
  };
  const max = {
    first_name: 'Max',
    last_name: 'Weber',
    email: null,
    role: 'Data_Manager',
    affiliations: ['University'],
  };

  const putContacts = (acronym: string, contacts: readonly object[]): Promise<Answer> =>
    catalog.send('PUT', `/api/projects/${acronym}`, { acronym, contacts });

  it('should keep custodians and personnel when a document has no contacts', async () => {
    const { body } = await putContacts('ALPHA', []);
    expect(body['contacts']).toEqual([ada, carl]);
    const custodians: unknown = await catalog.dataSource.query('SELECT * FROM project_custodians WHERE project_id = 1');
    expect(custodians).toEqual([{ project_id: 1, user_id: 1 }]);
  });

  it('should add the external contacts of a document to custodians and personnel', async () => {
    const { body } = await putContacts('BETA', [carl, max]);
    expect(body['contacts']).toEqual([max, ada, carl]);
  });

  it('should not change a project when its own document is sent back', async () => {
    const { body, headers } = await putContacts('GAMMA', [carl, max]);
    const back = await catalog.send('PUT', '/api/projects/GAMMA', body);
    expect(back.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('should store a contact that only resembles a custodian as an external contact', async () => {
    const other = { ...ada, role: 'Researcher', affiliations: ['University'], email: 'other@example.org' };
    expect((await putContacts('DELTA', [other])).body['contacts']).toEqual([other, ada, carl]);
  });

  it('should store the publications of a project in their order', async () => {
    const publications = [
      { citation: 'B', doi: null },
      { citation: null, doi: '10.1/a' },
    ];
    const created = await catalog.send('POST', '/api/projects', {
      acronym: 'NEW',
      publications,
      start_date: '2020-01-01',
    });
    expect(created).toMatchObject({
      status: 201,
      body: { acronym: 'NEW', name: '', publications, start_date: '2020-01-01' },
    });
  });

  it('should refuse to remove a project when it has datasets', async () => {
    await catalog.send('POST', '/api/projects', { acronym: 'FULL', external_id: 'P-FULL' });
    await catalog.send('POST', '/api/datasets', { name: 'Its dataset', project: 'FULL' });
    const refused = await catalog.send('DELETE', '/api/projects/P-FULL');
    expect(refused).toMatchObject({ status: 400, body: { more: { users: { datasets: 1 } } } });
  });

  it('should remove a project when its last dataset is removed', async () => {
    await catalog.send('POST', '/api/projects', { acronym: 'EMPTIED', external_id: 'P-EMPTIED' });
    await catalog.send('POST', '/api/datasets', { name: 'Last', project: 'EMPTIED', external_id: 'D-LAST' });
    expect((await catalog.send('DELETE', '/api/datasets/D-LAST')).status).toBe(204);
    expect((await catalog.send('DELETE', '/api/projects/P-EMPTIED')).status).toBe(204);
  });

  it.each<[string, Document, string]>([
    ['acronym', { acronym: undefined }, 'is missing'],
    ['acronym', { acronym: '' }, 'must not be empty'],
    ['acronym', { acronym: 'x'.repeat(201) }, 'must have at most 200 characters'],
    ['acronym', { acronym: 'ALPHA' }, 'must be unique: another project has "ALPHA"'],
    ['name', { name: null }, 'must be text'],
    ['name', { name: 'x'.repeat(501) }, 'must have at most 500 characters'],
    ['has_national_ethics_approval', { has_national_ethics_approval: 0 }, 'must be true or false'],
    ['has_institutional_ethics_approval', { has_institutional_ethics_approval: 'false' }, 'must be true or false'],
    ['start_date', { start_date: '1.2.2020' }, 'must be a day that exists'],
    ['end_date', { start_date: '2020-01-02', end_date: '2020-01-01' }, 'must not be before the start_date'],
    ['contacts[0].role', { contacts: [{ role: 'principal_investigator' }] }, 'must be one of Researcher'],
    ['contacts[0].affiliations[0]', { contacts: [{ affiliations: ['Nowhere'] }] }, 'names the partner "Nowhere"'],
    ['contacts[0].pk', { contacts: [{ pk: '1' }] }, 'is not known here'],
    ['publications[0].doi', { publications: [{ doi: 1 }] }, 'must be text or null'],
    ['publications[0]', { publications: ['x'] }, 'must be a JSON object'],
  ])('should refuse an invalid %s (case %#)', async (field, members, problem) => {
    const answer = await catalog.send('POST', '/api/projects', { acronym: 'BAD', ...members });
    expect([answer.status, problemsIn(answer)]).toEqual([400, { [field]: expect.stringContaining(problem) as string }]);
  });
});
