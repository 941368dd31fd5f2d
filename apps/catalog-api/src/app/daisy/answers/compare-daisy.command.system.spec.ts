import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { globalKey } from '../../../../test/catalog.js';
import { startRecordedDaisy, type RecordedDaisy } from '../../../../test/daisy/recorded-daisy.js';
import { runCatalog } from '../../../../test/support/command-line.js';
import { startWritableCatalog, type WritableCatalog } from '../../../../test/writing.js';

describe('compare daisy', () => {
  let catalog: WritableCatalog;
  let daisy: RecordedDaisy;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daisy-answers-'));
    daisy = await startRecordedDaisy();
    catalog = await startWritableCatalog({
      ACCESSION_PREFIX: 'ELU_I_',
      HOME_ORGANISATION: 'Institute 09 (home)',
      KEY_HASH_SECRET: 'the secret of the compared catalog',
      SERVER_URL: 'example.com',
    });
    const endpointKeys = ['endpoint 1', 'endpoint 2'].map((caller) => daisy.keys.get(caller));
    await writeFile(file('endpoint-keys'), endpointKeys.join('\n'));
    await migrate();
    await writeFile(file('callers'), await callerLines());
    await writeFile(file('people'), daisy.subjects.join('\n'));
  });

  afterAll(async () => {
    await catalog.stop();
    await daisy.stop();
    await rm(folder, { recursive: true });
  });

  const file = (name: string): string => join(folder, name);

  const migrate = (): Promise<string[]> =>
    runCatalog(catalog.environment, [
      ...['import', 'daisy', '--database', daisy.database.url, '--public-platforms', 'all'],
      ...['--keys', file('endpoint-keys'), '--new-keys', file('new-keys'), '--report', file('migration.md')],
    ]);

  const compare = (options: Record<string, string> = {}): Promise<string[]> => {
    const all = {
      url: daisy.url,
      catalog: catalog.url,
      report: file('answers.md'),
      callers: file('callers'),
      ...options,
    };
    const words = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
    return runCatalog(catalog.environment, ['compare', 'daisy', '--people', file('people'), ...words]);
  };

  /** Returns the callers with their keys in both systems. */
  async function callerLines(): Promise<string> {
    const [newKey = ''] = (await readFile(file('new-keys'), 'utf8')).split(' ');
    const changed = new Map([
      ['global', globalKey],
      ['endpoint 2', newKey],
      ['deactivated user', '-'],
    ]);
    return [...daisy.keys]
      .map(([caller, key]) => `${caller.replaceAll(' ', '-')} ${key} ${changed.get(caller) ?? key}\n`)
      .join('');
  }

  const linesOf = async (name: string): Promise<string[]> => (await readFile(file(name), 'utf8')).split('\n');

  it('should find every value of a migrated DAISY equal, or explain it by a rule', async () => {
    const [summary] = await compare();
    expect(summary).toMatch(
      /^35 answers and the permissions of 5 people were compared: .* 0 differences have no rule\.$/,
    );
    const headings = (await linesOf('answers.md')).filter((line) => line.startsWith('## '));
    expect(headings).toEqual([
      '## Differences without a rule',
      '## address of the schema: 12',
      '## caller without access: 5',
      '## code of a country: 18',
      '## contact without partners: 4',
      '## contract of another endpoint: 2',
      '## dataset that DAISY omits: 4',
      '## e-mail address of several users: 10',
      '## empty text: 40',
      '## form of an instant: 3',
      '## location with one line per character: 2',
      '## member category only in the catalog: 17',
      '## member published only in the catalog: 16',
      '## member uuid only in the catalog: 22',
      '## metadata: 25',
      '## order of contacts: 8',
      '## order of data_types: 9',
      '## order of personal_data_codes: 5',
      '## order of records: 3',
      '## project once per exposure: 1',
      '## role of a custodian: 26',
      '## unknown type of a contact: 5',
    ]);
  });

  it('should name the records of a rule that concerns single records in the report of the migration', async () => {
    const report = await linesOf('migration.md');
    for (const line of [
      '- user: the e-mail address belongs to another user too and was not imported (4): 6, 7, 8, 9',
      '- contact: the type "Sponsor" was replaced by "Other" (1): 8',
      '- project: the metadata got the member "daisy" with web_page, funding_sources, includes_automated_profiling (1): ELU_I_109',
      '- project: the name is empty (1): ELU_I_110',
      '- project: metadata that is not a JSON object was imported under "daisy.metadata" (1): ELU_I_111',
      '- dataset: a location with one line per character was joined to one line (1): ELU_I_105',
      '- dataset: the metadata got the member "daisy" with sensitivity_class, data_declarations (1): ELU_I_112',
      '- contract: the name is empty (1): 2',
      '- datasets of endpoint:1: ELU_I_113 only in the catalog: DAISY omits it, because a transfer has no partner or a ' +
        'use condition has an unknown class',
      '- contracts of endpoint:2: 1 only in DAISY: the catalog sends an endpoint only the contracts of projects that ' +
        'are exposed to the endpoint',
    ]) {
      expect(report).toContain(line);
    }
  });

  it('should change nothing in a second migration, not even one entry of the audit trail', async () => {
    const before = await contentOf();
    await migrate();
    expect(await contentOf()).toEqual(before);
  });

  it('should fail and name a value that differs without a rule', async () => {
    await catalog.send('PATCH', '/api/admin/use-classes/GRU', { label: 'Another label' });
    const failure = await compare().catch((error: unknown) => (error as Error).message);
    await catalog.send('PATCH', '/api/admin/use-classes/GRU', { label: null });
    expect(failure).toContain('The answers differ without a rule.');
    expect(failure).toContain(
      'endpoint-1/datasets/3: data_declarations.use_conditions.use_class_label: ' +
        '"General Research use and Clinical Care" in DAISY, "Another label" in the catalog',
    );
  });

  it('should report a key that the catalog accepts or refuses against expectation', async () => {
    const keys = [daisy.keys.get('global'), daisy.keys.get('custodian')].map(String);
    await writeFile(file('wrong-callers'), `global ${keys[0] ?? ''} unknown-key\ncustodian ${keys[1] ?? ''} -\n`);
    const failure = await compare({ callers: file('wrong-callers') }).catch(
      (error: unknown) => (error as Error).message,
    );
    expect(failure).toContain('global/projects: status: 200 in DAISY, 403 in the catalog');
    expect(failure).toContain('custodian/projects: status: 200 in DAISY, 200 in the catalog');
  });

  it('should refuse an incomplete line of --callers, an empty file, and a system that does not answer', async () => {
    await writeFile(file('incomplete'), 'global one two\nportal\n');
    await expect(compare({ callers: file('incomplete') })).rejects.toThrow('--callers: line 2 must have a name');
    await writeFile(file('empty'), '\n');
    await expect(compare({ callers: file('empty') })).rejects.toThrow('--callers is empty');
    await expect(compare({ url: 'http://127.0.0.1:1' })).rejects.toThrow('/api/partners does not answer with JSON');
  });

  /** Returns the number of rows and a digest of each table that a migration fills. */
  async function contentOf(): Promise<unknown[]> {
    const records = ['users', 'partners', 'contacts', 'cohorts', 'platforms', 'projects', 'datasets', 'contracts'];
    const tables = [...records, 'endpoints', 'exposures', 'accesses', 'view_records', 'audit_entries', 'accessions'];
    return Promise.all(
      tables.map((table) =>
        catalog.dataSource.query(
          `SELECT count(*), md5(string_agg(stored::text, '' ORDER BY stored::text)) FROM ${table} AS stored`,
        ),
      ),
    );
  }
});
