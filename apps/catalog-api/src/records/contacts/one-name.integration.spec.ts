import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startWritableCatalog, type Document, type WritableCatalog } from '../../../test/writing.js';
import { exportBackup } from '../../app/backup/backup-export.js';

const solo = { first_name: '', last_name: 'Sukarno' };
const mono = { first_name: 'Plato', last_name: '' };

describe('a person with one name', () => {
  let catalog: WritableCatalog;

  beforeEach(async () => {
    catalog = await startWritableCatalog();
    await catalog.fill([
      { record: 'user', id: 1, ...solo },
      { record: 'user', id: 2, ...mono, is_principal_investigator: true },
      { record: 'user', id: 3, email: 'nameless@example.org' },
      { record: 'contact', id: 1, ...solo },
      { record: 'contact', id: 2, first_name: '-', last_name: 'Hyphen' },
      { record: 'cohort', id: 1, name: 'Cohort', contacts: [1] },
      { record: 'partner', id: 1, name: 'Partner' },
      {
        record: 'project',
        id: 1,
        external_id: 'RDC_1',
        acronym: 'P',
        custodians: [2],
        personnel: [1, 3],
        contacts: [1, 2],
      },
      {
        ...{ record: 'dataset', id: 1, external_id: 'RDC_2', uuid: '6f0e8a52-0000-4000-8000-000000000001' },
        ...{ name: 'Dataset', project_id: 1, custodians: [1, 2, 3] },
      },
      {
        ...{ record: 'contract', id: 1, name: 'Contract', project_id: 1, custodians: [1] },
        partner_roles: [{ partner_id: 1, roles: ['processor'], contacts: [1] }],
      },
    ]);
  });

  afterEach(() => catalog.stop());

  const paths = ['/api/projects/RDC_1', '/api/datasets/RDC_2', '/api/contracts/1', '/api/cohorts/1'];

  const stored = (): Promise<unknown[]> =>
    catalog.dataSource.query('SELECT id, first_name, last_name FROM contacts ORDER BY id');

  it('should be exported with a hyphen in the place of the missing name, in every list', async () => {
    for (const path of paths) {
      const names = namesIn((await catalog.read(path)).body);
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter(([first, last]) => (first === '') !== (last === ''))).toEqual([]);
    }
    expect(namesIn((await catalog.read('/api/projects/RDC_1')).body)).toEqual([
      ['-', 'Sukarno'],
      ['-', 'Hyphen'],
      ['Plato', '-'],
      ['', ''],
      ['-', 'Sukarno'],
    ]);
  });

  it('should keep the stored names when a record is read and written back', async () => {
    const before = await stored();
    for (const path of paths) {
      const { body } = await catalog.read(path);
      expect((await catalog.send('PUT', path, body)).status).toBe(200);
    }
    expect(await stored()).toEqual(before);
    expect(await catalog.dataSource.query('SELECT 1 FROM audit_entries')).toEqual([]);
  });

  it('should keep the stored names when other contacts of the record change', async () => {
    const before = await stored();
    for (const path of ['/api/projects/RDC_1', '/api/cohorts/1']) {
      const { body } = await catalog.read(path);
      const contacts = [...(body['contacts'] as Document[]), { first_name: 'New', last_name: 'Person' }];
      expect((await catalog.send('PATCH', path, { contacts })).status).toBe(200);
    }
    expect((await stored()).slice(0, before.length)).toEqual(before);
    expect((await stored()).slice(before.length)).toMatchObject([{ first_name: 'New', last_name: 'Person' }]);
  });

  it('should change nothing when a document with an empty name is written twice', async () => {
    const project = { acronym: 'NEW', name: 'New', contacts: [{ first_name: '', last_name: 'Cher', role: 'Other' }] };
    const first = await catalog.send('POST', '/api/import/projects', { items: [project] });
    const second = await catalog.send('POST', '/api/import/projects', { items: [project] });
    expect([first.body['created'], second.body['unchanged']]).toEqual([1, 1]);
  });

  it('should be contained in a backup as stored', async () => {
    const output = new PassThrough();
    const [backup] = await Promise.all([
      text(output),
      exportBackup(catalog.dataSource, output).finally(() => output.end()),
    ]);
    expect(backup).toContain('"first_name":"","last_name":"Sukarno"');
    expect(backup).toContain('"first_name":"Plato","last_name":""');
    expect(backup).toContain('"first_name":"-","last_name":"Hyphen"');
  });
});

/** Returns the names of all people in a document. */
function namesIn(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const { first_name, last_name } = value as { first_name?: string; last_name?: string };
  const own: [string, string][] = first_name === undefined || last_name === undefined ? [] : [[first_name, last_name]];
  return [...own, ...Object.values(value).flatMap(namesIn)];
}
