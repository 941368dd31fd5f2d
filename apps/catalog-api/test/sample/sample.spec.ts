import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { sampleDeliveries } from '../../../../scripts/sample-source/deliveries.ts';
import { importBackup } from '../../src/app/backup/backup-import.js';
import { TermsRepository } from '../../src/records/terms/terms.repository.js';
import { readTerms } from '../../src/records/terms/read-terms.js';
import { Accessions } from '../../src/publishing/writing/accessions.js';
import { AccessionsSettings } from '../../src/publishing/writing/accessions.settings.js';
import { termCategories, type TermCategory } from '../../src/records/terms/term.entity.js';
import { globalKey, startCatalog, type RunningCatalog } from '../catalog.js';

const sample = new URL('../../../../sample/', import.meta.url);

describe('the sample data', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    await importBackup(catalog.dataSource, createReadStream(new URL('catalog.ndjson', sample)), {
      accessions: new Accessions(new AccessionsSettings()),
      documents: catalog.documents,
    });
    const terms = catalog.app.get(TermsRepository);
    for (const file of await readdir(new URL('terms/', sample))) {
      if (!file.endsWith('.tsv')) continue;
      const category = file.replace('.tsv', '') as TermCategory;
      await terms.replace(category, await readTerms(await readFile(new URL(`terms/${file}`, sample), 'utf8')));
    }
  });

  afterAll(() => catalog.stop());

  const count = async (sql: string): Promise<number> =>
    (await catalog.dataSource.query<[{ count: number }]>(`SELECT count(*)::integer AS count FROM ${sql}`))[0].count;

  it('should contain records of every kind', async () => {
    expect(await count('projects')).toBe(6);
    expect(await count('datasets')).toBe(12);
    expect(await count('use_conditions')).toBeGreaterThan(12);
    for (const table of ['partners', 'cohorts']) {
      expect(await count(`${table} WHERE published`)).toBeGreaterThan(2);
      expect(await count(`${table} WHERE NOT published`)).toBeGreaterThan(0);
    }
    expect(await count('datasets d WHERE EXISTS (SELECT FROM exposures e WHERE e.dataset_id = d.id)')).toBe(9);
    expect(await count('exposures WHERE deprecated_at IS NOT NULL')).toBeGreaterThan(1);
    expect(await count('users WHERE is_principal_investigator')).toBeGreaterThan(0);
    expect(await count(`users WHERE email NOT LIKE '%@example.org'`)).toBe(0);
  });

  it('should set the next accession after the imported ones', async () => {
    const [{ next }] = await catalog.dataSource.query<[{ next: string }]>(
      `SELECT nextval('accession_numbers') AS next`,
    );
    expect(Number(next)).toBeGreaterThan(48);
  });

  it.each([
    ['disease', 'cancer'],
    ['phenotype', 'seizure'],
    ['gene', 'BRCA'],
    ['study', 'cohort'],
  ])('should contain %s terms that match %s', async (category, search) => {
    const response = await catalog.fetch(`/api/termsearch/${category}?search=${search}&page=1`);
    const { results } = (await response.json()) as { results: { text: string }[] };
    expect(results.length).toBeGreaterThan(1);
    expect(results[0]?.text.toLowerCase()).toContain(search.toLowerCase());
  });

  it('should contain terms of every category and no other file', async () => {
    const loaded = await catalog.dataSource.query<{ category: string }[]>('SELECT DISTINCT category FROM terms');
    expect(loaded.map(({ category }) => category).sort()).toEqual([...termCategories].sort());
  });

  it('should permit two datasets to Jonas Berg', async () => {
    const [{ subject }] = await catalog.dataSource.query<[{ subject: string }]>(
      `SELECT subject FROM users WHERE email = 'jonas.berg@example.org'`,
    );
    const response = await catalog.fetch(`/api/permissions/${subject}`, { key: globalKey });
    expect(await response.json()).toEqual(['RDC_11', 'RDC_18']);
    expect(await readFile(new URL('README.md', sample), 'utf8')).toContain(subject);
  });

  it('should contain every dataset and project of the sample deliveries', async () => {
    for (const { description, datasets } of sampleDeliveries) {
      expect(await count(`projects WHERE external_id = '${description.project}'`)).toBe(1);
      for (const { id } of datasets) {
        expect(
          await count(`datasets d JOIN projects p ON p.id = d.project_id
                        WHERE d.external_id = '${id}' AND p.external_id = '${description.project}'`),
        ).toBe(1);
      }
    }
  });
});
