import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCatalog } from '../../../test/support/command-line.js';
import { startWritableCatalog, type Document, type WritableCatalog } from '../../../test/writing.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { DocumentsSettings } from './documents.settings.js';
import { StoredDocuments } from './stored-documents.js';

const settings = {
  HOME_ORGANISATION: 'Home Institute',
  ACCESSION_PREFIX: 'HOME_',
  SERVER_URL: 'https://catalog.example.org',
};

describe('a command with other settings than the service', () => {
  let catalog: WritableCatalog;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    catalog = await startWritableCatalog(settings);
    await catalog.fill([
      { record: 'user', id: 1, first_name: 'Ada', last_name: 'Byron' },
      { record: 'project', id: 1, external_id: 'HOME_1', acronym: 'ALPHA', name: 'Alpha', custodians: [1] },
    ]);
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
    file = join(folder, 'projects.json');
    await writeFile(file, JSON.stringify({ items: [{ external_id: 'HOME_1', acronym: 'ALPHA', name: 'Renamed' }] }));
  });

  afterAll(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  const runWith = (changes: Readonly<Record<string, string>>, ...words: string[]): Promise<string[]> =>
    runCatalog({ ...catalog.environment, ...changes }, words);

  const project = async (): Promise<Document> => (await catalog.read('/api/projects/HOME_1')).body;

  it.each([
    ['HOME_ORGANISATION', '', 'HOME_ORGANISATION is not set in the environment of this process, and "Home Institute"'],
    ['HOME_ORGANISATION', 'Another', 'HOME_ORGANISATION is "Another" in the environment of this process'],
    ['PROTECTED_INHERITS', 'true', 'PROTECTED_INHERITS is "true"'],
    ['ACCESSION_PREFIX', 'RDC_', 'ACCESSION_PREFIX is "RDC_" in the environment of this process, and "HOME_" in the'],
    ['SERVER_URL', 'http://localhost', 'and "https://catalog.example.org" in the database, where the service recorded'],
  ])('should import nothing when %s is %j', async (name, value, message) => {
    const before = await project();
    await expect(runWith({ [name]: value }, 'import', 'projects', file)).rejects.toThrow(message);
    expect(await project()).toEqual(before);
    expect(before['contacts']).toMatchObject([{ affiliations: ['Home Institute'] }]);
  });

  it('should rebuild no document when HOME_ORGANISATION is not set', async () => {
    await expect(runWith({ HOME_ORGANISATION: '' }, 'rebuild', 'documents')).rejects.toThrow('HOME_ORGANISATION');
    expect((await project())['contacts']).toMatchObject([{ affiliations: ['Home Institute'] }]);
  });

  it('should issue no key when KEY_HASH_SECRET differs, and show no secret', async () => {
    const [first, second] = ['first-secret-of-the-hashes-of-keys', 'other-secret-of-the-hashes-of-keys'];
    const own = await startWritableCatalog({ KEY_HASH_SECRET: first });
    await own.fill([{ record: 'user', id: 1, email: 'ada@example.org', last_name: 'Byron' }]);
    const issue = (secret: string): Promise<string[]> =>
      runCatalog({ ...own.environment, KEY_HASH_SECRET: secret }, ['key', 'user', 'ada@example.org']);
    const message = await issue(second).then(String, String);
    expect(message).toContain(
      'KEY_HASH_SECRET is one secret in the environment of this process, and another secret in',
    );
    expect(message).not.toMatch(/fingerprint|of-the-hashes/);
    const [key] = await issue(first);
    expect((await own.fetch('/api/projects', { key: key ?? '' })).status).toBe(200);
    await own.stop();
  });

  it('should import when all settings are equal', async () => {
    expect(await runWith({}, 'import', 'projects', file, '--dry-run')).toEqual([
      'dry run: projects: 1 items; 0 created, 1 updated, 0 unchanged.',
    ]);
  });

  it('should refuse a request with 503 when the service was restarted elsewhere with another value', async () => {
    const other = catalogSettings({ ...catalog.environment, HOME_ORGANISATION: 'New Name' }).get(DocumentsSettings);
    await new StoredDocuments(other, catalog.dataSource, storedLists).onApplicationBootstrap();
    const { status, body, headers } = await catalog.send('PATCH', '/api/projects/HOME_1', { name: 'Changed' });
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect(body['more']).toMatchObject({ code: 'settings.differ', settings: ['HOME_ORGANISATION'] });
    const after = await project();
    expect([after['name'], after['contacts']]).toMatchObject(['Alpha', [{ affiliations: ['New Name'] }]]);
    await catalog.documents.onApplicationBootstrap();
    expect((await catalog.send('PATCH', '/api/projects/HOME_1', { name: 'Alpha' })).status).toBe(200);
  });
});
