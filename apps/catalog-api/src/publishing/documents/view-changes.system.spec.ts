import { createTestStore, type TestStore } from '../../../test/store.js';
import { smallCatalog } from '../../../test/small-catalog.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { CatalogWriter, type CatalogTransaction } from './catalog-writer.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import type { ListName } from './list-names.js';
import { StoredDocuments } from './stored-documents.js';
import { ViewRecord, type View } from './view.entity.js';
import { WithdrawnSweep } from './withdrawn.sweep.js';
import { DocumentsSettings } from './documents.settings.js';

interface Change {
  readonly id: number;
  readonly event: 'created' | 'changed' | 'withdrawn';
  readonly external_id: string | null;
  readonly changed_at: string;
}

/** Returns the changes of a view after a cursor, by one range of `view_records_feed_idx`. */
const changesAfter = `
  SELECT record_id AS id, external_id, changed_at::text,
    CASE WHEN digest IS NULL THEN 'withdrawn' WHEN seen_since > $3::timestamptz THEN 'created' ELSE 'changed' END AS event
  FROM view_records
  WHERE view = $1 AND list = $2 AND (changed_at, record_id) > ($3::timestamptz, $4::integer)
  ORDER BY changed_at, record_id LIMIT $5`;

describe(ViewRecord.name, () => {
  let store: TestStore;
  let writer: CatalogWriter;

  beforeEach(async () => {
    store = await createTestStore();
    await store.fill(smallCatalog);
    writer = new CatalogWriter(store.dataSource, store.documents);
  });

  afterEach(() => store.drop());

  const read = (
    view: View,
    list: ListName,
    after: [string, number] = ['-infinity', 0],
    limit = 1000,
  ): Promise<Change[]> => store.dataSource.query<Change[]>(changesAfter, [view, list, ...after, limit]);

  const endOf = async (view: View, list: ListName): Promise<[string, number]> => {
    const last = (await read(view, list)).at(-1);
    return [last?.changed_at ?? '-infinity', last?.id ?? 0];
  };

  const write = (text: string, touched: Parameters<CatalogTransaction['touch']>[0]): Promise<void> =>
    writer.write(async ({ manager, touch }) => {
      await manager.query(text);
      touch(touched);
    });

  const addDataset = (project: number, n: number): Promise<void> =>
    writer.write(async ({ manager, touch }) => {
      const [{ id }] = await manager.query<[{ id: number }]>(
        `INSERT INTO datasets (uuid, name, project_id) VALUES (gen_random_uuid(), $1, $2) RETURNING id`,
        [`Dataset ${String(project)} ${String(n)}`, project],
      );
      await manager.query('SELECT pg_sleep($1)', [project / 1000]);
      touch({ datasets: [id] });
    });

  it('should report created, changed and withdrawn records in the view of an endpoint', async () => {
    const cursor = await endOf('endpoint:1', 'datasets');
    await write('INSERT INTO exposures (dataset_id, endpoint_id, form_id) VALUES (3, 1, 1)', { exposed: [3] });
    await write(`UPDATE datasets SET description = 'other' WHERE id IN (1, 3)`, { datasets: [1, 3] });
    await write('DELETE FROM exposures WHERE dataset_id = 2', { exposed: [2] });
    expect(await read('endpoint:1', 'datasets', cursor)).toMatchObject([
      { id: 1, event: 'changed', external_id: 'RDC_11' },
      { id: 3, event: 'created', external_id: 'RDC_13' },
      { id: 2, event: 'withdrawn', external_id: 'RDC_12' },
    ]);
    expect((await read('all', 'datasets', await endOf('all', 'datasets'))).length).toBe(0);
  });

  it('should report no change of records outside the view', async () => {
    const views = ['anonymous', 'endpoint:2', 'user:1'] as const;
    const before = await Promise.all(views.map((view) => read(view, 'datasets')));
    await write(`UPDATE datasets SET description = 'other' WHERE id = 3`, { datasets: [3] });
    await write('DELETE FROM datasets WHERE id = 3', { datasets: [3], vacated: [3] });
    expect(await Promise.all(views.map((view) => read(view, 'datasets')))).toEqual(before);
    expect(await read('all', 'datasets')).toContainEqual(expect.objectContaining({ id: 3, event: 'withdrawn' }));
  });

  it('should report every change when the feed is read in small pages during writes', async () => {
    const wanted = 60;
    const state = { writing: true };
    const writers = Promise.all(
      [1, 2, 3].map(async (project) => {
        for (let n = 0; n < wanted / 3; n++) await addDataset(project, n);
      }),
    ).finally(() => (state.writing = false));
    const seen = new Set<number>();
    let cursor: [string, number] = ['-infinity', 0];
    for (let last = false; !last;) {
      last = !state.writing;
      for (let page = await read('all', 'datasets', cursor, 7); page.length > 0;) {
        for (const { id } of page) seen.add(id);
        cursor = [page.at(-1)?.changed_at ?? '', page.at(-1)?.id ?? 0];
        page = await read('all', 'datasets', cursor, 7);
      }
    }
    await writers;
    const ids = await store.dataSource.query<{ id: number }[]>('SELECT id FROM dataset_documents');
    expect(ids.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
    expect(ids.length).toBeGreaterThan(wanted);
  });

  it('should assign later instants to later changes when the clock was set back', async () => {
    await store.dataSource.query(`UPDATE document_state SET noticed_at = now() + interval '1 day'`);
    await write(`UPDATE datasets SET description = 'other' WHERE id = 1`, { datasets: [1] });
    const [change] = await store.dataSource.query<{ later: boolean }[]>(
      `SELECT changed_at > now() + interval '23 hours' AS later FROM view_records
        WHERE list = 'datasets' AND record_id = 1 AND view = 'all'`,
    );
    expect(change).toEqual({ later: true });
  });

  it('should keep withdrawn records for the retention time only', async () => {
    await write('DELETE FROM datasets WHERE id IN (2, 3)', { datasets: [2, 3], vacated: [2, 3] });
    await store.dataSource.query(`UPDATE view_records SET changed_at = now() - interval '89 days' WHERE record_id = 2`);
    await store.dataSource.query(
      `UPDATE view_records SET changed_at = now() - interval '91 days' WHERE record_id <> 2`,
    );
    await new WithdrawnSweep(
      store.dataSource,
      catalogSettings({ DATABASE_URL: store.url }).get(DocumentsSettings),
    ).sweep();
    const left = await read('all', 'datasets');
    expect(left.map(({ id, event }) => [id, event])).toEqual([
      [1, 'created'],
      [2, 'withdrawn'],
    ]);
  });

  it('should apply a changed PROTECTED_INHERITS at the next start', async () => {
    const heirs = async (): Promise<number[]> => (await read('user:2', 'datasets')).map(({ id }) => id);
    expect(await heirs()).toEqual([1]);
    const settings = catalogSettings({ DATABASE_URL: store.url, PROTECTED_INHERITS: 'true' }).get(DocumentsSettings);
    await new StoredDocuments(settings, store.dataSource, storedLists).onApplicationBootstrap();
    expect(await heirs()).toEqual([1, 2]);
    await store.documents.onApplicationBootstrap();
  });

  it('should resume an interrupted rebuild', async () => {
    await store.dataSource.query(`UPDATE document_state SET basis = 'of another version'`);
    await store.dataSource.query(`DELETE FROM view_records WHERE list = 'datasets' AND record_id > 1`);
    const [first] = await read('all', 'datasets');
    await store.documents.onApplicationBootstrap();
    const after = await read('all', 'datasets');
    expect(after.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(after[0]).toEqual(first);
  });
});
