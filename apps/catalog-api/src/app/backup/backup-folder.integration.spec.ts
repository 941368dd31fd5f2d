import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestStore, type TestStore } from '../../../test/store.js';
import { runCatalog } from '../../../test/support/command-line.js';
import { recordServiceSettings } from '../../publishing/documents/service-settings.js';
import { writeBackup } from './backup-folder.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));

describe('a folder of backups', () => {
  let store: TestStore;
  let folder: string;

  beforeAll(async () => {
    store = await createTestStore();
    await store.dataSource.query(`INSERT INTO users (last_name) VALUES ('Byron')`);
    await recordServiceSettings(store.dataSource.manager, { HOME_ORGANISATION: 'Example University' });
  });

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'backups-')), 'new');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  afterAll(() => store.drop());

  const write = (hour: number, keep = 14): Promise<string> =>
    writeBackup(store.dataSource, folder, { version: '1.2.3', keep, now: at(hour) });

  it('should contain the records and the settings, readable for one account only', async () => {
    const backup = await write(1);
    expect(backup).toBe(join(folder, '2026-01-01T010000.000Z'));
    expect(await readFile(join(backup, 'catalog.ndjson'), 'utf8')).toContain('"last_name":"Byron"');
    const description = JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8')) as unknown;
    expect(description).toMatchObject({
      version: '1.2.3',
      settings: { HOME_ORGANISATION: 'Example University' },
      secrets: ['KEY_HASH_SECRET'],
    });
    for (const file of ['.', 'catalog.ndjson', 'backup.json']) {
      expect((await stat(join(backup, file))).mode & 0o077).toBe(0);
    }
  });

  it('should keep the newest backups and all other files when a backup is written', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'notes.txt'), '');
    for (const hour of [1, 2, 3]) await write(hour, 2);
    expect((await readdir(folder)).sort()).toEqual(['2026-01-01T020000.000Z', '2026-01-01T030000.000Z', 'notes.txt']);
  });

  it('should remove the remainder of a killed command after a day when a backup is written', async () => {
    await mkdir(join(folder, '.partial-old'), { recursive: true });
    await mkdir(join(folder, '.partial-new'));
    await utimes(join(folder, '.partial-old'), at(0), at(0));
    await utimes(join(folder, '.partial-new'), at(25), at(25));
    await write(30);
    expect((await readdir(folder)).sort()).toEqual(['.partial-new', '2026-01-02T060000.000Z']);
  });

  it('should leave no partial backup when the export fails', async () => {
    const closed = await createTestStore();
    await closed.dataSource.query('DROP TABLE service_settings');
    await expect(writeBackup(closed.dataSource, folder, { version: '1', keep: 1, now: at(1) })).rejects.toThrow(
      'service_settings',
    );
    expect(await readdir(folder)).toEqual([]);
    await closed.drop();
  });

  it('should be imported only with the settings of the service that wrote the backup', async () => {
    const backup = await write(1);
    const empty = await createTestStore();
    const settings = { DATABASE_URL: empty.url, KEY_HASH_SECRET: 'a secret of at least 32 characters' };
    await expect(runCatalog(settings, ['import', 'full', backup])).rejects.toThrow(
      '"Example University" in the database',
    );
    expect(await empty.dataSource.query('SELECT name FROM service_settings')).toEqual([]);
    const output = await runCatalog({ ...settings, HOME_ORGANISATION: 'Example University' }, [
      'import',
      'full',
      backup,
    ]);
    expect(output).toEqual(['Imported 1 records.']);
    await empty.drop();
  });
});
