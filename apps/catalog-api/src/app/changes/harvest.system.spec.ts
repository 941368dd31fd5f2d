import { jest } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../../../../test/support/until.ts';
import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { startServer } from '../server.js';
import type { ChangeResponse, ChangesResponse } from './changes.dto.js';

/** The number of records before the harvest. `HARVEST_RECORDS` changes it. */
const records = Number(process.env['HARVEST_RECORDS'] ?? 2_000);

/** The number of concurrent writers, of writes of each, and of kills. */
const [writers, writes, kills] = [3, 40, 6];

const harvester = fileURLToPath(new URL('../../../test/support/harvester.ts', import.meta.url));

jest.setTimeout(120_000 + records * 6);

const fill = `
  INSERT INTO projects (id, acronym, name) VALUES (1, 'MANY', 'Project of many');
  INSERT INTO datasets (id, uuid, name, project_id)
    SELECT n, gen_random_uuid(), 'Dataset ' || n, 1 FROM generate_series(1, ${String(records)}) AS n;
  SELECT setval(pg_get_serial_sequence('datasets', 'id'), ${String(records)});
  ANALYZE`;

/** The changes that a complete harvest has received last, by list and id. */
const stored = `
  SELECT list || ' ' || record_id AS record, digest IS NULL AS withdrawn,
    to_char(changed_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS changed_at
  FROM view_records WHERE view = 'all' AND list IN ('projects', 'datasets', 'cohorts')`;

describe('a harvester that is killed', () => {
  let catalog: RunningCatalog;
  let replica: Awaited<ReturnType<typeof startServer>>;
  let folder: string;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    catalog = await startCatalog();
    await catalog.dataSource.query(fill);
    await catalog.documents.rebuildAll();
    replica = await startServer(catalog.environment);
    folder = await mkdtemp(join(tmpdir(), 'harvest-'));
  });

  afterAll(async () => {
    await kill();
    await replica.close();
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  it(`should miss nothing among ${String(records)} records when others write and it continues elsewhere`, async () => {
    const origins = [catalog.url, await replica.getUrl()];
    const limits = [7, 1000, 50, 333];
    const written = Promise.all(Array.from({ length: writers }, (_, n) => writeInTurn(n)));
    for (let round = 0; round <= kills; round += 1) {
      const before = await pageCount();
      start(origins[round % 2] ?? '', limits[round % 4] ?? 100);
      await until(async () => (await pageCount()) > before + 1);
      if (round < kills) await kill();
    }
    await written;
    const last = await addDataset('Added last', 0);
    await until(async () => (await journal()).includes(`"id_at_source":"${String(last)}"`), 60_000 + records);
    expect(await missed()).toEqual([]);
  });

  /** Returns the stored changes that the harvester has not received. */
  async function missed(): Promise<object[]> {
    const received = new Map<string, ChangeResponse>();
    for (const { items } of await pages()) {
      for (const item of items) received.set(`${item.list} ${item.id_at_source}`, item);
    }
    const rows = await catalog.dataSource.query<{ record: string; withdrawn: boolean; changed_at: string }[]>(stored);
    expect(rows.length).toBeGreaterThan(records);
    return rows.filter(({ record, withdrawn, changed_at }) => {
      const change = received.get(record);
      if (!change) return !withdrawn;
      return change.changed_at !== changed_at || (change.event === 'withdrawn') !== withdrawn;
    });
  }

  function start(origin: string, limit: number): void {
    const words = [harvester, origin, globalKey, join(folder, 'journal'), String(limit)];
    child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  const journal = (): Promise<string> => readFile(join(folder, 'journal'), 'utf8').catch(() => '');
  const pageCount = async (): Promise<number> => (await journal()).split('\n').length;

  /** Returns the complete pages of the journal. */
  async function pages(): Promise<ChangesResponse[]> {
    const text = await journal();
    const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ChangesResponse);
  }

  /** Adds, changes and removes datasets. Its transactions overlap with those of the other writers. */
  async function writeInTurn(writer: number): Promise<void> {
    for (let n = 0; n < writes; n += 1) {
      const id = await addDataset(`Added by ${String(writer)}: ${String(n)}`, writer * 5);
      const old = 1 + ((n * writers + writer) % records);
      await change(`UPDATE datasets SET description = 'changed ${String(n)}' WHERE id = $1`, old);
      if (n % 3 === 0) await change('DELETE FROM datasets WHERE id = $1', n % 2 === 0 ? id : old);
    }
  }

  /** @param pauseMs the time between the write and the commit */
  function addDataset(name: string, pauseMs: number): Promise<number> {
    return catalog.app.get(CatalogWriter).write(async ({ manager, touch }) => {
      const [{ id }] = await manager.query<[{ id: number }]>(
        'INSERT INTO datasets (uuid, name, project_id) VALUES (gen_random_uuid(), $1, 1) RETURNING id',
        [name],
      );
      await manager.query('SELECT pg_sleep($1)', [pauseMs / 1000]);
      touch({ datasets: [id] });
      return id;
    });
  }

  function change(statement: string, id: number): Promise<void> {
    return catalog.app.get(CatalogWriter).write(async ({ manager, touch }) => {
      await catalog.documents.lock(manager);
      await manager.query(statement, [id]);
      touch({ datasets: [id], vacated: [1] });
    });
  }
});
