import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longKey, personalKey, shortKey, startDaisyDatabase, type TestDaisy } from '../../../../test/daisy-database.js';
import { runCatalog } from '../../../../test/support/command-line.js';
import { untilBlocked } from '../../../../test/until-blocked.js';
import { startWritableCatalog, type Answer, type WritableCatalog } from '../../../../test/writing.js';

const secret = 'the secret of the migrated catalog';

describe('import daisy --database', () => {
  let catalog: WritableCatalog;
  let daisy: TestDaisy;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daisy-migration-'));
    daisy = await startDaisyDatabase();
    catalog = await startWritableCatalog({
      ACCESSION_PREFIX: 'ELU_I_',
      KEY_HASH_SECRET: secret,
      HOME_ORGANISATION: 'Home Institute',
    });
  });

  afterEach(async () => {
    await catalog.stop();
    await daisy.drop();
    await rm(folder, { recursive: true });
  });

  const file = (name: string): string => join(folder, name);

  const run = (...args: string[]): Promise<string[]> =>
    runCatalog(catalog.environment, [
      ...['import', 'daisy', '--database', daisy.url, '--report', file('report.md')],
      ...['--public-platforms', 'Open store', ...args],
    ]);

  const report = (): Promise<string> => readFile(file('report.md'), 'utf8');

  const readAs = (key: string, path: string): Promise<Answer> =>
    catalog.send('GET', path, undefined, { 'X-API-Key': key });

  /** Returns the numbers that a write would use up, and the number of entries in the audit trail. */
  async function numbers(): Promise<unknown> {
    const [row] = await catalog.dataSource.query<[unknown]>(
      `SELECT (SELECT count(*) FROM audit_entries) AS entries, accession_numbers.last_value AS accessions, is_called,
         pg_sequence_last_value('datasets_id_seq') AS datasets, pg_sequence_last_value('audit_entries_id_seq') AS trail
       FROM accession_numbers`,
    );
    return row;
  }

  it('should serve each endpoint, user and person the records of DAISY under the same ids and keys', async () => {
    const lines = await run();
    expect(lines.at(-1)).toBe('18 lists of both systems were compared; the report names 2 differences.');
    const served = await readAs(shortKey, '/api/datasets');
    expect(served.body['items']).toMatchObject([
      {
        id_at_source: '21',
        external_id: 'ELU_I_121',
        released_date: '2024-05-06T07:08:09.000Z',
        form_id: 8,
        contacts: [{ last_name: 'Byron', affiliations: ['Home Institute'] }],
        storages: [
          { platform: 'Open store', location: '/open', accesses: ['ask the group'] },
          { platform: null, location: null },
        ],
        data_declarations: [
          {
            data_types: ['Samples', 'Whole_genome_sequencing'],
            cohorts: [{ cohort: 'Hidden cohort' }],
            use_conditions: [{ use_class: 'DS', use_condition_rule: 'PROHIBITION' }],
          },
        ],
        legal_bases: [{ data_declarations: ['Genomes'], personal_data_codes: ['Health'] }],
        transfers: [{ partner: 'Provider' }],
      },
      {
        external_id: 'ELU_I_122',
        deprecated: true,
        deprecation_date: '2025-01-02T03:04:05.000Z',
        deprecation_notes: 'old',
      },
    ]);
    expect((await readAs(shortKey, '/api/contracts')).body['items']).toMatchObject([
      { id: 41, project_id: 12, partners: [{ partner_roles: ['controller'], contacts: [{ pk: '6' }] }] },
    ]);
    expect((await readAs(personalKey, '/api/projects')).body['items']).toMatchObject([{ id_at_source: '12' }]);
    expect((await catalog.read('/api/permissions/sub-ada')).body).toEqual(['ELU_I_121']);
    expect((await catalog.read('/api/permissions/sub-eve')).body).toEqual(['ELU_I_121']);
    expect((await catalog.read('/api/permissions/sub-cleo')).body).toEqual([]);
    expect((await catalog.read('/api/cohorts')).body['results']).toMatchObject([
      { id_at_source: '4', institutes: [7], published: true },
    ]);
    const hidden = 'SELECT has_ethics_approval, ethics_approval_notes, published FROM cohorts WHERE id = 5';
    expect(await catalog.dataSource.query(hidden)).toEqual([
      { has_ethics_approval: false, ethics_approval_notes: 'pending', published: false },
    ]);
  });

  it('should keep values without a field in the metadata or in the audit trail', async () => {
    await run();
    const dataset = await catalog.read('/api/datasets/ELU_I_121');
    expect(dataset.body['metadata']).toContain('12345678901234567890');
    expect(JSON.parse(String(dataset.body['metadata']))).toMatchObject({
      daisy: {
        sensitivity_class: 'Pr-S',
        data_declarations: [{ title: 'Genomes', contract_id: 41, submission_id: 'sub-1' }],
      },
    });
    expect(JSON.parse(String((await catalog.read('/api/projects/ELU_I_111')).body['metadata']))).toEqual({
      daisy: {
        web_page: 'https://sub.example.org',
        umbrella_project: 'ELU_I_110',
        funding_sources: ['FNR'],
        disease_terms: [{ term_id: 'DOID:1', label: 'a disease' }],
      },
    });
    const trail = await catalog.dataSource.query<{ resource: string; after: object }[]>(
      `SELECT resource, after FROM audit_entries WHERE action = 'import' ORDER BY id`,
    );
    const originOf = (resource: string): object[] =>
      trail.flatMap((entry) => (entry.resource === resource ? [entry.after] : []));
    expect(originOf('contracts')[0]).toMatchObject({ dacs: [{ title: 'Committee', members: [{ contact_id: 6 }] }] });
    expect(originOf('projects')[1]).toMatchObject({ documents: [{ content: 'documents/approval.pdf' }] });
    expect(JSON.stringify(trail)).not.toContain(personalKey);
    expect(await catalog.dataSource.query('SELECT category, term_id FROM terms')).toEqual([
      { category: 'disease', term_id: 'DOID:1' },
    ]);
  });

  it('should import the history with its dates and actors, the end of an access, and grants', async () => {
    await run();
    const history = await catalog.dataSource.query<unknown[]>(
      `SELECT at, actor, action, resource, record_id, address FROM audit_entries
        WHERE action <> 'import' AND resource IN ('accesses', 'projects', 'exposures') ORDER BY id`,
    );
    expect(history).toMatchObject([
      { action: 'expose', actor: 'DAISY', record_id: '62' },
      { action: 'update', actor: 'user:3', resource: 'projects', record_id: '12' },
      { at: new Date('2024-05-06T07:08:09Z'), action: 'expose', actor: 'user:3', record_id: '61' },
      { action: 'create', actor: 'user:3', resource: 'accesses', record_id: '71', address: '192.0.2.7' },
      { action: 'deprecate', actor: 'DAISY', record_id: '62' },
    ]);
    const accesses = await catalog.dataSource.query<unknown[]>(
      'SELECT id, status, application, subject, expires_at, notes FROM accesses ORDER BY id',
    );
    expect(accesses).toMatchObject([
      {
        id: 71,
        application: 11,
        subject: 'sub-ada',
        expires_at: new Date('2099-12-31T23:00:00Z'),
        notes: 'granted\nApplication: 2026/7',
      },
      { id: 72, application: null, subject: null, expires_at: null },
      { id: 73, status: 'suspended' },
    ]);
    expect(await catalog.dataSource.query('SELECT user_id, dataset_id FROM grants')).toEqual([
      { user_id: 5, dataset_id: 23 },
    ]);
  });

  it('should report each change, each record that is left out, and each difference of the lists', async () => {
    const lines = await run('--skip', 'contact/9', 'user/5');
    expect(lines).toContain('dataset: 3 existed, 3 imported, 2 changed, 0 left out.');
    const text = await report();
    for (const line of [
      '- user/1: the account of DAISY for callers without an account',
      '- contact/9: named by --skip',
      '- access/73: its dataset or person is left out',
      '- access/74: it names no person; its notes are kept with its storage locations',
      '- user: the e-mail address belongs to another user too and was not imported (1): 3',
      '- user: the group "own-group" was not imported (1): 3',
      '- project: a contact was removed, because contact/9 is left out (1): ELU_I_111',
      '- dataset: the use_condition_rule "-" was replaced by "PROHIBITION" (1): ELU_I_121',
      '- dataset: metadata that is not a JSON object was imported under "daisy.metadata" (1): ELU_I_122',
      '- contract: the name is empty (1): 42',
      '- datasets of endpoint:51: ELU_I_122 only in the catalog: DAISY omits it, because a transfer has no partner or a ' +
        'use condition has an unknown class',
      '- contracts of endpoint:52: 41 only in DAISY: the catalog sends an endpoint only the contracts of projects that ' +
        'are exposed to the endpoint',
      '- datasets of user:5: the caller is not in the catalog',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
  });

  it('should change nothing when it runs again, and name the records that DAISY changed since', async () => {
    await run();
    const before = await numbers();
    const lines = await run();
    expect(lines).toContain('dataset: 3 existed, 0 imported, 3 imported before, 2 changed, 0 left out.');
    await daisy.query(`UPDATE core_dataset SET title = 'Renamed' WHERE id = 23`);
    await daisy.query(`INSERT INTO core_partner (name) VALUES ('Later')`);
    expect(await run()).toEqual(
      expect.arrayContaining([
        'dataset/ELU_I_123: changed in DAISY after the migration',
        'partner/1: added in DAISY after the migration',
      ]),
    );
    expect(await numbers()).toEqual(before);
  });

  it('should write nothing and use up no numbers in a dry run', async () => {
    const before = await numbers();
    expect(await run('--dry-run')).toContain('dry run: dataset: 3 existed, 3 imported, 2 changed, 0 left out.');
    expect(await numbers()).toEqual(before);
    await run();
    expect((await catalog.send('POST', '/api/projects', { acronym: 'NEXT' })).body).toMatchObject({
      id_at_source: '13',
      external_id: 'ELU_I_141',
    });
  });

  it('should write nothing when records are refused, and name all of them with their fields', async () => {
    await daisy.query(
      `UPDATE core_contact SET first_name = repeat('y', 10001), last_name = repeat('x', 10001) WHERE id = 6`,
    );
    await daisy.query(`UPDATE core_partner SET country = 'g1' WHERE id = 7`);
    const failure = await run().catch((error: unknown) => (error as Error).message);
    expect(failure).toContain('contact/6: last_name must have at most 10000 characters; it has 10001');
    expect(failure).toContain('contact/6: first_name must have at most 10000 characters; it has 10001');
    expect(failure).toMatch(/partner\/ELU_I_7: .*partners_country_code_check/);
    expect(failure).toContain('Nothing was written: 2 records are refused.');
    expect((await catalog.read('/api/partners')).body['results']).toEqual([]);
    await run('--skip', 'contact/6', 'partner/ELU_I_7');
    expect((await catalog.read('/api/partners')).body['results']).toMatchObject([{ name: 'Hidden partner' }]);
  });

  it('should write nothing when its connection ends during the migration', async () => {
    const blocker = catalog.dataSource.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('LOCK TABLE terms IN ACCESS SHARE MODE');
    await blocker.query('LOCK TABLE use_conditions IN ACCESS EXCLUSIVE MODE');
    const migration = run().catch((error: unknown) => (error as Error).message);
    await untilBlocked(catalog);
    await blocker.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(await migration).toContain('exit code 1');
    await blocker.rollbackTransaction();
    await blocker.release();
    expect((await catalog.read('/api/partners')).body['results']).toEqual([]);
    await run();
    expect((await catalog.read('/api/datasets')).body['items']).toHaveLength(3);
  });

  it('should keep a given key, replace a longer key, and write the new key into a private file', async () => {
    await writeFile(file('keys'), `${longKey}\n${shortKey}\nunknown\n`);
    await expect(run('--keys', file('keys'))).rejects.toThrow('--new-keys is required');
    await writeFile(file('new-keys'), 'of a killed run');
    await expect(run('--keys', file('keys'), '--new-keys', file('new-keys'))).rejects.toThrow(
      'it exists. Name another file. If a killed run left this file, remove it: its keys are not valid.',
    );
    await rm(file('new-keys'));
    await run('--keys', file('keys'), '--new-keys', file('new-keys'));
    const [key = '', name] = (await readFile(file('new-keys'), 'utf8')).trim().split('  ');
    expect(name).toBe('Second portal');
    expect((await stat(file('new-keys'))).mode & 0o777).toBe(0o600);
    expect([(await readAs(key, '/api/datasets')).status, (await readAs(shortKey, '/api/datasets')).status]).toEqual([
      200, 200,
    ]);
    expect((await readAs(longKey, '/api/datasets')).status).toBe(403);
    expect(await report()).toContain('Key 3 of --keys belongs to no endpoint.');
  });

  it('should refuse a database of another version, a database of another program, and unknown names', async () => {
    await expect(run('--skip', 'dataset/ELU_I_9')).rejects.toThrow(
      '--skip names records that the DAISY does not have: dataset/ELU_I_9.',
    );
    await daisy.query(`INSERT INTO django_migrations (app, name) VALUES ('core', '0099_tomorrow')`);
    await expect(run()).rejects.toThrow('its last migration is 0099_tomorrow. Supported: DAISY 1.8');
    await daisy.query('DROP TABLE django_migrations');
    await expect(run()).rejects.toThrow('The database has no tables of a DAISY.');
    await expect(run('--time-zone', 'Moon')).rejects.toThrow('--time-zone Moon is not a time zone');
  });

  it('should refuse a catalog that is not empty', async () => {
    await catalog.send('POST', '/api/partners', { name: 'Present' });
    await expect(run()).rejects.toThrow('the catalog is not empty (it contains partners)');
  });
});
