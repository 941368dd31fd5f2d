import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { personalKey, shortKey, startDaisyDatabase, type TestDaisy } from '../../../../test/daisy-database.js';
import { olderSchema, olderVersions } from '../../../../test/daisy-schema.js';
import { runCatalog } from '../../../../test/support/command-line.js';
import { startWritableCatalog, type WritableCatalog } from '../../../../test/writing.js';

describe('import daisy --database of an older DAISY', () => {
  let catalog: WritableCatalog;
  let daisy: TestDaisy;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'older-daisy-'));
    catalog = await startWritableCatalog({ KEY_HASH_SECRET: 'the secret of the catalog' });
    daisy = await startDaisyDatabase();
  });

  afterEach(async () => {
    await daisy.drop();
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  const run = (...args: string[]): Promise<string[]> =>
    runCatalog(catalog.environment, [
      ...['import', 'daisy', '--database', daisy.url, '--report', join(folder, 'report.md')],
      ...['--public-platforms', 'all', ...args],
    ]);

  it.each(olderVersions)('should import the same records from version %s', async (version) => {
    await daisy.query(olderSchema(version));
    const lines = await run('--dry-run');
    expect(lines).toEqual(
      expect.arrayContaining([
        'dry run: dataset: 3 existed, 3 imported, 2 changed, 0 left out.',
        'dry run: contract: 2 existed, 2 imported, 2 changed, 0 left out.',
        'dry run: exposure: 2 existed, 2 imported, 0 changed, 0 left out.',
        '18 lists of both systems were compared; the report names 2 differences.',
      ]),
    );
    expect(await readFile(join(folder, 'report.md'), 'utf8')).toContain(`DAISY ${version}\n`);
  });

  it('should refuse a version that is older than all supported ones, and name it', async () => {
    await daisy.query(`UPDATE django_migrations SET name = '0034_auto_20230515_1353' WHERE app = 'core'`);
    await expect(run()).rejects.toThrow('its last migration is 0034_auto_20230515_1353. Supported: DAISY 1.8');
  });

  it('should serve the records of the oldest version', async () => {
    await daisy.query(olderSchema('1.8'));
    await run();
    const readAs = async (key: string, path: string): Promise<unknown> =>
      (await catalog.send('GET', path, undefined, { 'X-API-Key': key })).body['items'];
    expect(await readAs(shortKey, '/api/datasets')).toMatchObject([
      {
        external_id: 'ELU_I_121',
        form_id: 8,
        data_declarations: [{ use_conditions: [{ use_class: 'DS', use_condition_rule: 'PROHIBITION' }] }],
      },
      { external_id: 'ELU_I_122', deprecated: false, request_pdf_enabled: false },
    ]);
    expect(await readAs(personalKey, '/api/projects')).toMatchObject([{ id_at_source: '12' }]);
    expect((await catalog.read('/api/permissions/sub-eve')).body).toEqual(['ELU_I_121']);
    expect(await catalog.dataSource.query('SELECT id, application, notes FROM accesses ORDER BY id')).toEqual([
      { id: 71, application: null, notes: 'granted' },
      { id: 72, application: null, notes: null },
      { id: 73, application: null, notes: null },
    ]);
  });
});
