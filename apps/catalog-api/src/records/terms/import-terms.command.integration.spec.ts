import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { dataSourceOptions } from '../../platform/database/data-source.js';
import { DatabaseSettings } from '../../platform/database/database.settings.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { readTerms } from './read-terms.js';
import { entities } from '../../app/entities.js';
import { runCatalog } from '../../../test/support/command-line.js';

describe('import terms', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let folder: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const settings = catalogSettings({ DATABASE_URL: database.url }).get(DatabaseSettings);
    dataSource = await new DataSource(dataSourceOptions(settings, entities)).initialize();
    await dataSource.runMigrations();
    folder = await mkdtemp(join(tmpdir(), 'terms-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
    await dataSource.destroy();
    await database.drop();
  });

  beforeEach(() => dataSource.query('DELETE FROM terms'));

  async function load(category: string, text: string, ...options: string[]): Promise<string> {
    const file = join(folder, 'terms');
    await writeFile(file, text);
    const lines = await run('--category', category, file, ...options);
    return lines.join('\n').replace(file, 'FILE');
  }

  const run = (...args: string[]): Promise<string[]> =>
    runCatalog({ DATABASE_URL: database.url }, ['import', 'terms', ...args]);

  const rows = (): Promise<unknown[]> =>
    dataSource.query(`SELECT term_id, label, synonyms, obsolete, xmin::text FROM terms WHERE category = 'phenotype'
                       ORDER BY term_id`);

  const table = 'id\tlabel\tsynonyms\nHP:2\tTremor\tShaking|shaking|Trembling\nHP:1\tSeizure\t\n';

  it('should import a table', async () => {
    expect(await load('phenotype', table)).toBe(
      'phenotype: 2 terms in FILE; 2 created, 0 updated, 0 obsoleted, 0 unchanged.',
    );
    expect(await rows()).toMatchObject([
      { term_id: 'HP:1', label: 'Seizure', synonyms: [], obsolete: false },
      { term_id: 'HP:2', label: 'Tremor', synonyms: ['Shaking', 'Trembling'], obsolete: false },
    ]);
  });

  it('should change nothing when a table is imported again', async () => {
    await load('phenotype', table);
    const before = await rows();
    expect(await load('phenotype', table)).toContain('0 created, 0 updated, 0 obsoleted, 2 unchanged');
    expect(await rows()).toEqual(before);
  });

  it('should add new terms, update changed terms and obsolete missing terms', async () => {
    await load('phenotype', table);
    expect(await load('phenotype', 'id\tlabel\nHP:1\tSeizures\nHP:3\tAtaxia\n')).toContain(
      '1 created, 1 updated, 1 obsoleted, 0 unchanged',
    );
    expect(await rows()).toMatchObject([
      { label: 'Seizures' },
      { label: 'Tremor', obsolete: true },
      { label: 'Ataxia' },
    ]);
  });

  it('should restore an obsolete term when a file contains the term again', async () => {
    await load('phenotype', table);
    await load('phenotype', 'id\tlabel\nHP:1\tSeizure\n');
    expect(await load('phenotype', table)).toContain('0 created, 1 updated, 0 obsoleted, 1 unchanged');
    expect(await rows()).toMatchObject([{ obsolete: false }, { obsolete: false }]);
  });

  it('should leave the other vocabularies unchanged', async () => {
    await load('phenotype', table);
    const before = await rows();
    await load('gene', 'id\tlabel\nHGNC:1100\tBRCA1\n');
    expect(await rows()).toEqual(before);
  });

  it('should refuse a file with the problem of every invalid line and change nothing', async () => {
    await load('phenotype', table);
    const before = await rows();
    const bad = 'id\tlabel\nHP:1\tChanged\n\tNo id\nHP:4\t\nHP:1\tTwice\n';
    await expect(load('phenotype', bad)).rejects.toThrow(
      /line 3 must have an id.*; line 4 must have a label.*; line 5 must have the label "Changed" of the earlier term HP:1/,
    );
    await expect(load('phenotype', 'id\tlabel\n')).rejects.toThrow('The file must contain at least one term');
    await expect(load('phenotype', 'name\tvalue\n1\t2\n')).rejects.toThrow(
      'must contain the column names "id" and "label"',
    );
    await expect(load('phenotype', '{"no": "graphs"}')).rejects.toThrow('graphs must be');
    expect(await rows()).toEqual(before);
  });

  it('should report the changes of a dry run and change nothing', async () => {
    await load('phenotype', table);
    const before = await rows();
    expect(await load('phenotype', 'id\tlabel\nHP:77\tNew\n', '--dry-run')).toBe(
      'dry run: phenotype: 1 terms in FILE; 1 created, 0 updated, 2 obsoleted, 0 unchanged.',
    );
    expect(await rows()).toEqual(before);
  });

  it('should refuse invalid arguments', async () => {
    await expect(run('hp.tsv')).rejects.toThrow("required option '--category <category>' not specified");
    await expect(run('--category', 'planet', 'x')).rejects.toThrow('Allowed choices are disease, phenotype');
    await expect(run('--category', 'gene')).rejects.toThrow("missing required argument 'file'");
    await expect(run('--category', 'gene', 'absent.tsv')).rejects.toThrow('cannot read');
    await expect(run('--category', 'gene', '--kind', 'x')).rejects.toThrow("unknown option '--kind'");
  });

  it('should import one file after the other when two commands run at the same time', async () => {
    const tableOf = (label: string): string => `id\tlabel\n${many(500, label)}`;
    const other = join(folder, 'other');
    await writeFile(other, tableOf('Other'));
    await Promise.all([load('study', tableOf('One')), run('--category', 'study', other)]);
    const labels = await dataSource.query<unknown[]>(
      `SELECT DISTINCT split_part(label, ' ', 1) FROM terms WHERE category = 'study' AND NOT obsolete`,
    );
    expect(labels).toHaveLength(1);
  });
});

function many(count: number, label: string): string {
  return Array.from({ length: count }, (_, at) => `X:${String(at)}\t${label} ${String(at)}\n`).join('');
}

describe(readTerms.name, () => {
  it('should read names and synonyms from OBO and skip obsolete terms and other stanzas', async () => {
    const text = [
      'format-version: 1.4',
      '',
      '[Term]',
      'id: DOID:162 ! cancer',
      'name: cancer \\(malignant\\)',
      'synonym: "malignant \\"tumor\\"" EXACT OMO:0003012 []',
      'synonym: "neoplasm" BROAD []',
      'xref: NCI:C9305',
      '',
      '[Term]',
      'id: DOID:1',
      'name: gone',
      'is_obsolete: true',
      '',
      '[Term]',
      'id: DOID:2',
      '',
      '[Typedef]',
      'id: part_of',
      'name: part of',
    ].join('\r\n');
    expect(await readTerms(text)).toEqual([
      { termId: 'DOID:162', label: 'cancer (malignant)', synonyms: ['malignant "tumor"', 'neoplasm'] },
    ]);
  });

  it('should read labelled, current classes from OBO Graphs and shorten their ids', async () => {
    const nodes = [
      {
        id: 'http://purl.obolibrary.org/obo/DOID_162',
        lbl: 'cancer',
        type: 'CLASS',
        meta: { synonyms: [{ pred: 'hasExactSynonym', val: 'malignant\ntumor' }] },
      },
      { id: 'http://purl.obolibrary.org/obo/DOID_1', lbl: 'gone', type: 'CLASS', meta: { deprecated: true } },
      { id: 'http://purl.obolibrary.org/obo/DOID_2', type: 'CLASS' },
      { id: 'http://purl.obolibrary.org/obo/part_of', lbl: 'part of', type: 'PROPERTY' },
      { id: 'http://example.org/terms#A1', lbl: 'elsewhere', type: 'CLASS' },
    ];
    expect(await readTerms(JSON.stringify({ graphs: [{ nodes }] }))).toEqual([
      { termId: 'DOID:162', label: 'cancer', synonyms: ['malignant tumor'] },
      { termId: 'http://example.org/terms#A1', label: 'elsewhere', synonyms: [] },
    ]);
  });

  it('should read a table with a byte order mark, other columns and CRLF line ends', async () => {
    expect(await readTerms('\uFEFFcomment\tLabel\tID\r\nx\tTremor\tHP:1\r\n')).toEqual([
      { termId: 'HP:1', label: 'Tremor', synonyms: [] },
    ]);
  });

  it('should merge the synonyms of a repeated term', async () => {
    expect(await readTerms('id\tlabel\tsynonyms\nHP:1\tTremor\tShaking\nHP:1\tTremor\tshaking|Trembling\n')).toEqual([
      { termId: 'HP:1', label: 'Tremor', synonyms: ['Shaking', 'Trembling'] },
    ]);
  });

  it.each([
    ['carriage returns', '\r'.repeat(100_000)],
    ['opening braces', `format-version: 1.4\n[Term]\nid: A:1 ${'{ '.repeat(49_000)}}}x\nname: a\n`],
    ['repetitions of a term', `id\tlabel\tsynonyms\n${'A:1\tTremor\tx\n'.repeat(20_000)}`],
  ])('should read a text in less than quadratic time when it contains many %s', async (_, text) => {
    const startedAt = performance.now();
    await readTerms(text).catch(() => undefined);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  it.each([
    ['a line is too long', `id\tlabel\n${'x'.repeat(100_001)}`, 'line 2 must have at most'],
    ['it has more terms than the limit', 'id\tlabel\n1\ta\n2\tb\n3\tc\n', 'at most 2 terms'],
    ['a term has too many synonyms', `id\tlabel\tsynonyms\n1\ta\t${'|'.repeat(10_001)}`, 'at most 10000 synonyms'],
    ['its JSON is nested too deeply', '{"graphs":'.repeat(200), 'nested at most 100 deep'],
  ])('should refuse a file when %s', async (_, text, problem) => {
    await expect(readTerms(text, 2)).rejects.toThrow(problem);
  });
});
