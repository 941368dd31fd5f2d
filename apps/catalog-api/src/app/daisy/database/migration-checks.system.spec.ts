import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../../../../../../test/support/test-database.ts';
import { longKey, startDaisyDatabase, type TestDaisy } from '../../../../test/daisy-database.js';
import { runCatalog } from '../../../../test/support/command-line.js';
import { untilBlocked } from '../../../../test/until-blocked.js';
import { startWritableCatalog, type WritableCatalog } from '../../../../test/writing.js';

describe('import daisy --database', () => {
  let catalog: WritableCatalog;
  let daisy: TestDaisy;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daisy-checks-'));
    daisy = await startDaisyDatabase();
    catalog = await startWritableCatalog({
      KEY_HASH_SECRET: 'the secret of the migrated catalog',
      HOME_ORGANISATION: 'Home Institute',
    });
  });

  afterEach(async () => {
    await catalog.stop();
    await daisy.drop();
    await rm(folder, { recursive: true });
  });

  const file = (name: string): string => join(folder, name);

  const runWith = (settings: Record<string, string>, ...args: string[]): Promise<string[]> =>
    runCatalog({ ...catalog.environment, ...settings }, [
      ...['import', 'daisy', '--database', daisy.url, '--report', file('report.md')],
      ...['--public-platforms', 'all', ...args],
    ]);

  const report = async (): Promise<string[]> => (await readFile(file('report.md'), 'utf8')).split('\n');

  it.each([
    ['KEY_HASH_SECRET', 'another secret of another catalog', 'KEY_HASH_SECRET is one secret in the environment'],
    ['HOME_ORGANISATION', 'Elsewhere', 'HOME_ORGANISATION is "Elsewhere" in the environment'],
    ['ACCESSION_PREFIX', 'ELSE_', 'ACCESSION_PREFIX is "ELSE_" in the environment'],
  ])('should write nothing when %s differs from the setting of the service', async (name, value, message) => {
    await writeFile(file('keys'), longKey);
    const keys = ['--keys', file('keys'), '--new-keys', file('new-keys')];
    await expect(runWith({ [name]: value }, ...keys)).rejects.toThrow(message);
    expect((await catalog.read('/api/partners')).body['results']).toEqual([]);
    await expect(access(file('new-keys'))).rejects.toThrow('ENOENT');
    await runWith({}, ...keys);
    expect((await catalog.read('/api/partners')).body['results']).not.toEqual([]);
  });

  it('should name the command that creates the tables when the database of the catalog has none', async () => {
    const empty = await createTestDatabase();
    await expect(runWith({ DATABASE_URL: empty.url })).rejects.toThrow(
      'run "node apps/catalog-api/dist/cli.js migrate"',
    );
    await empty.drop();
  });

  it('should write nothing when the service starts with another secret during the migration', async () => {
    const blocker = catalog.dataSource.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('LOCK TABLE audit_entries IN EXCLUSIVE MODE');
    const migration = runWith({}).then(String, String);
    await untilBlocked(catalog);
    await blocker.query(`UPDATE service_settings SET value = 'fingerprint:other' WHERE name = 'KEY_HASH_SECRET'`);
    await blocker.commitTransaction();
    await blocker.release();
    expect(await migration).toContain('KEY_HASH_SECRET is one secret in the environment');
    expect((await catalog.read('/api/partners')).body['results']).toEqual([]);
  });

  it('should keep an accession of two kinds of record with both records, and name them in the report', async () => {
    await daisy.query(`UPDATE core_partner SET elu_accession = 'ELU_I_121' WHERE id = 7`);
    await runWith({});
    expect(await report()).toContain(
      '- DAISY gave the accession ELU_I_121 to several records (dataset/21, partner/7). Each of them that is imported keeps it.',
    );
    expect((await catalog.read('/api/partners/ELU_I_121')).body).toMatchObject({ id_at_source: '7' });
    expect((await catalog.read('/api/datasets/ELU_I_121')).body).toMatchObject({ id_at_source: '21' });
    const { body } = await catalog.send('POST', '/api/projects', { acronym: 'THIRD', external_id: 'ELU_I_121' });
    expect(JSON.stringify(body)).toContain('must be unique among all kinds of record');
  });

  it('should import a telephone number, a DOI and an acronym that are as long as a DAISY accepts', async () => {
    await daisy.query(`UPDATE core_contact SET phone = repeat('1', 600) WHERE id = 6`);
    await daisy.query(`UPDATE core_publication SET doi = repeat('1', 600)`);
    await daisy.query(`UPDATE core_partner SET acronym = repeat('A', 500) WHERE id = 7`);
    await runWith({});
    expect((await catalog.read('/api/partners/ELU_I_7')).body).toMatchObject({ acronym: 'A'.repeat(500) });
    expect((await catalog.read('/api/projects/ELU_I_111')).body['publications']).toMatchObject([
      { doi: '1'.repeat(600) },
    ]);
    expect((await catalog.read('/api/cohorts/ELU_C_4')).body['contacts']).toMatchObject([{ phone: '1'.repeat(600) }]);
  });

  it('should import names of 10,000 characters, and accept the imported records in a write', async () => {
    const name = '😀'.repeat(10_000);
    for (const [table, column, id] of [
      ['partner', 'name', 7],
      ['partner', 'acronym', 7],
      ['cohort', 'title', 4],
      ['dataset', 'title', 21],
      ['datadeclaration', 'title', 31],
      ['storageresource', 'name', 1],
      ['datatype', 'name', 1],
      ['contact', 'first_name', 6],
      ['contact', 'last_name', 6],
    ]) {
      await daisy.query(`UPDATE core_${String(table)} SET ${String(column)} = '${name}' WHERE id = ${String(id)}`);
    }
    await daisy.query(`UPDATE core_access SET access_notes = repeat('n', 20000)`);
    expect((await runWith({})).join()).toContain('contact: ');
    for (const address of ['partners/ELU_I_7', 'cohorts/ELU_C_4', 'datasets/ELU_I_121']) {
      const { body } = await catalog.read(`/api/${address}`);
      expect([address, body['name'] === name]).toEqual([address, true]);
      const { status } = await catalog.send('PUT', `/api/${address}`, { ...body, metadata: { changed: true } });
      expect([address, status]).toEqual([address, 200]);
    }
    const stored = async (address: string): Promise<string> => JSON.stringify((await catalog.read(address)).body);
    const dataset = await stored('/api/datasets/ELU_I_121');
    for (const member of ['title', 'platform'])
      expect([member, dataset.includes(`"${member}":"${name}"`)]).toEqual([member, true]);
    expect(dataset.includes(`"${'n'.repeat(20_000)}"`)).toBe(true);
    const cohort = await stored('/api/cohorts/ELU_C_4');
    for (const member of ['first_name', 'last_name', 'acronym', 'name']) {
      expect([member, cohort.includes(`"${member}":"${name}"`)]).toEqual([member, true]);
    }
    const twice = await catalog.send('POST', '/api/partners', { name });
    expect([twice.status, JSON.stringify(twice.body)]).toEqual([400, expect.stringContaining('must be unique')]);
  });

  it('should import the labels of use classes, keep the labels of the catalog, and report unknown classes', async () => {
    await runCatalog(catalog.environment, ['use-class', 'label', 'GRU', 'Own label']);
    await daisy.query(`UPDATE core_conditionclass SET name = 'Only for one disease'`);
    await daisy.query(
      `INSERT INTO core_conditionclass (id, code, name) VALUES (2, 'GRU', 'General'), (3, 'NEW', 'New class')`,
    );
    await daisy.query(
      `INSERT INTO core_conditionclass (id, code, name) VALUES (4, 'HMB', repeat('x', 10001)), (5, 'NRES', 'No restrictions')`,
    );
    await daisy.query(`INSERT INTO core_usecondition (id, condition_class, data_declaration_id) VALUES (2, 'NEW', 31)`);
    const lines = await runWith({});
    expect(lines).toContain('use class: 5 existed, 3 imported, 2 changed, 2 left out.');
    expect(await report()).toEqual(
      expect.arrayContaining([
        '- use class/NEW: the catalog does not have it; 1 use conditions have the class Other instead',
        '- use class/HMB: its label has more than 10000 characters; the default label stays',
        '- use class: the label of DAISY replaces the default label (1): DS',
        '- use class: the catalog has its own label, which stays (1): GRU',
        '- dataset: the unknown use_class "NEW" was replaced by "Other" (1): ELU_I_121',
      ]),
    );
    expect((await catalog.read('/api/datasets/ELU_I_121')).body['data_declarations']).toMatchObject([
      {
        use_conditions: [
          { use_class: 'DS', use_class_label: 'Only for one disease' },
          { use_class: 'Other', use_class_label: 'Other use conditions', use_class_note: 'NEW' },
        ],
      },
    ]);
    expect(
      await catalog.dataSource.query(
        `SELECT actor, action, before, after FROM audit_entries WHERE resource = 'use_classes' AND record_id = 'DS'`,
      ),
    ).toEqual([
      {
        actor: 'command: import daisy',
        action: 'update',
        before: { label: 'Disease-specific Research and Clinical Care.' },
        after: { label: 'Only for one disease' },
      },
    ]);
    expect(await runCatalog(catalog.environment, ['use-class', 'label', 'RS', 'Later label'])).toHaveLength(1);
  });

  it('should accept every value before the first start of the service, and remark it', async () => {
    await catalog.dataSource.query('DELETE FROM service_settings');
    await runWith({});
    expect(await report()).toContainEqual(
      expect.stringMatching(/^- The catalog has not started with this database yet/),
    );
  });
});
