import { createTestStore, type TestStore } from '../../../test/store.js';
import { smallCatalog } from '../../../test/small-catalog.js';
import { CatalogWriter, type CatalogTransaction } from './catalog-writer.js';
import { listNames } from './list-names.js';
import { StoredDocuments } from './stored-documents.js';

const unchanged = Object.fromEntries(listNames.map((name) => [name, 0]));

describe(StoredDocuments.name, () => {
  let store: TestStore;
  let writer: CatalogWriter;

  beforeAll(async () => {
    store = await createTestStore();
    await store.fill(smallCatalog);
    writer = new CatalogWriter(store.dataSource, store.documents);
  });

  afterAll(() => store.drop());

  /** Writes of every kind that documents depend on. `n` makes each write different. */
  const writes: ((transaction: CatalogTransaction, n: number) => Promise<void>)[] = [
    write('users', (n) => [`UPDATE users SET last_name = 'Name' || $1 WHERE id = 1 + $1 % 6`, 1 + (n % 6)]),
    write('users', (n) => [
      `UPDATE users SET is_principal_investigator = $1 % 2 = 0 WHERE id = 1 + $1 % 6`,
      1 + (n % 6),
    ]),
    write('contacts', (n) => [`UPDATE contacts SET email = 'mail' || $1 WHERE id = 1 + $1 % 2`, 1 + (n % 2)]),
    write('partners', (n) => [`UPDATE partners SET name = 'Partner ' || $1 WHERE id = 1 + $1 % 2`, 1 + (n % 2)]),
    write('partners', (n) => [`UPDATE partners SET published = $1 % 4 < 2 WHERE id = 1 + $1 % 2`, 1 + (n % 2)]),
    write('cohorts', (n) => [`UPDATE cohorts SET name = 'Cohort ' || $1 WHERE id = 1 + $1 % 2`, 1 + (n % 2)]),
    write('platforms', (n) => [`UPDATE platforms SET public = $1 % 4 < 2 WHERE id = 1 + $1 % 2`, 1 + (n % 2)]),
    write('projects', (n) => [`UPDATE projects SET acronym = 'P' || $1 WHERE id = 1 + $1 % 3`, 1 + (n % 3)]),
    write('datasets', (n) => [`UPDATE datasets SET description = 'D' || $1 WHERE id = 1 + $1 % 3`, 1 + (n % 3)]),
    write('datasets', (n) => [
      `WITH gone AS (DELETE FROM dataset_custodians WHERE dataset_id = 1 + $1 % 3)
       INSERT INTO dataset_custodians SELECT 1 + $1 % 3, 1 + $1 % 5 WHERE $1 % 2 = 0
       ON CONFLICT DO NOTHING`,
      1 + (n % 3),
    ]),
    write('projects', (n) => [`UPDATE projects SET external_id = 'X' || $1 WHERE id = 1 + $1 % 3`, 1 + (n % 3)]),
    write('projects', () => [`UPDATE publications SET doi = '10.5555/' || $1 WHERE project_id = 1`, 1]),
    write('datasets', (n) => [
      `UPDATE datasets SET metadata = '{"keywords": ["k$1"]}' WHERE id = 1 + $1 % 3`,
      1 + (n % 3),
    ]),
    write('datasets', () => [
      `UPDATE use_conditions SET use_class_note = 'DOID:$1', use_class = CASE $1 % 3 WHEN 0 THEN 'DS' ELSE 'Other' END
        WHERE data_declaration_id IN (SELECT id FROM data_declarations WHERE dataset_id = 1)`,
      1,
    ]),
    write('contracts', (n) => [`UPDATE contracts SET comments = 'C' || $1 WHERE id = 1 + $1 % 3`, 1 + (n % 3)]),
  ];

  it('should keep documents equal to rebuilt ones after random writes, and change versions only with documents', async () => {
    const random = randomNumbers(20_26);
    for (let round = 0; round < 150; round++) {
      const before = await contents();
      const chosen = Array.from({ length: 1 + random(3) }, () => writes[random(writes.length)]);
      const n = random(40);
      await writer.write(async (transaction) => {
        for (const one of chosen) await one?.(transaction, n);
      });
      const after = await contents();
      for (const list of listNames) {
        const [was, is] = [before[list], after[list]];
        expect(`${list} moved: ${String(is?.version !== was?.version)}`).toBe(
          `${list} moved: ${String(is?.digest !== was?.digest)}`,
        );
      }
      expect(await store.documents.rebuildAll()).toEqual(unchanged);
    }
  });

  it('should include both changes when two writers change the same document', async () => {
    for (let n = 1; n <= 20; n++) {
      await Promise.all([
        writer.write(async (transaction) => {
          await transaction.manager.query(`UPDATE datasets SET description = $1 WHERE id = 1`, [`twice ${String(n)}`]);
          transaction.touch({ datasets: [1] });
        }),
        writer.write(async (transaction) => {
          await transaction.manager.query(`UPDATE cohorts SET name = $1 WHERE id = 1`, [`Renamed ${String(n)}`]);
          transaction.touch({ cohorts: [1] });
        }),
      ]);
    }
    expect(await store.documents.rebuildAll()).toEqual(unchanged);
  });

  it('should store no document when a write fails', async () => {
    const before = await contents();
    const failed = writer.write(async (transaction) => {
      await transaction.manager.query(`UPDATE partners SET name = 'Never' WHERE id = 1`);
      transaction.touch({ partners: [1] });
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await contents()).toEqual(before);
  });

  it('should rebuild documents at start when the home organisation has changed', async () => {
    const moved = await createTestStore({ HOME_ORGANISATION: 'New Name' });
    await moved.fill(smallCatalog);
    await moved.dataSource.query(`UPDATE document_state SET basis = 'of another version'`);
    await moved.dataSource.query(`UPDATE dataset_documents SET body = 'stale'`);
    await moved.documents.onApplicationBootstrap();
    const [{ body }] = await moved.dataSource.query<[{ body: string }]>(
      'SELECT body FROM dataset_documents WHERE id = 1',
    );
    expect(body).toContain('"affiliations":["New Name"]');
    await moved.drop();
  });

  async function contents(): Promise<Partial<Record<string, { version: string; digest: string }>>> {
    const rows = await store.dataSource.query<{ list: string; version: string; digest: string }[]>(
      `SELECT list,
         (SELECT version FROM view_versions AS kept
           WHERE kept.list = named.list AND view = CASE kept.list WHEN 'partners' THEN 'key' ELSE 'all' END) AS version,
         md5(CASE list
           WHEN 'projects' THEN (SELECT string_agg(body || linked, '' ORDER BY id) FROM project_documents)
           WHEN 'datasets' THEN (SELECT string_agg(body || storages || linked, '' ORDER BY id) FROM dataset_documents)
           WHEN 'contracts' THEN (SELECT string_agg(body, '' ORDER BY id) FROM contract_documents)
           WHEN 'partners' THEN (SELECT string_agg(body || published, '' ORDER BY id) FROM partner_documents)
           WHEN 'cohorts' THEN (SELECT string_agg(body || people || published, '' ORDER BY id) FROM cohort_documents)
         END) AS digest
       FROM unnest($1::text[]) AS named (list)`,
      [listNames],
    );
    return Object.fromEntries(rows.map(({ list, ...rest }) => [list, rest]));
  }
});

type Kind = 'users' | 'contacts' | 'partners' | 'cohorts' | 'platforms' | 'projects' | 'datasets' | 'contracts';

function write(kind: Kind, statement: (n: number) => [string, number]) {
  return async ({ manager, touch }: CatalogTransaction, n: number): Promise<void> => {
    const [text, id] = statement(n);
    await manager.query(text.replaceAll('$1', String(n)));
    touch({ [kind]: [id] });
  };
}

/** Returns a linear congruential generator, which gives the same numbers in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}
