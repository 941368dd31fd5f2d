import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Commit, FileRecord } from '../src/model/commit.js';
import { SourceFailure, type NextBuffer, type PinnedFile, type SourcePlace } from '../src/model/source-system.js';
import { FolderSource } from '../src/source/folder/folder-source.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { digest, layFiles } from './support/delivery.js';
import { Engine, settingsOf } from './support/engine.js';
import { TestSystem } from './support/system.js';

const run = promisify(execFile);

/** A source that copy threads cannot read, so that every copied file is opened here. It can refuse a file. */
class WatchedSource extends FolderSource {
  readonly opened: string[] = [];
  denied: string | null = null;

  override locate(): never {
    return null as never;
  }

  override open(place: SourcePlace, file: PinnedFile, next: NextBuffer): AsyncGenerator<Buffer> {
    if (file.path === this.denied) throw new SourceFailure('The source cannot be read: EACCES', 'EACCES');
    this.opened.push(file.path);
    return super.open(place, file, next);
  }
}

/** Files in several batches, one of which has an unusual name. */
const files = {
  'a\nb': 'one',
  large: Buffer.alloc(9 << 20, 1),
  later: Buffer.alloc(9 << 20, 2),
};

describe('the manifests of an import', () => {
  let root: string;
  let source: WatchedSource;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'manifests-'));
    await mkdir(join(root, 'storage'));
    await layFiles(join(root, 'source/SUB-1/DS-1'), files);
    source = new WatchedSource(join(root, 'source'), settingsOf(root).SOURCE_READY);
  });

  afterEach(() => removeTree(root));

  async function withEngine<T>(algorithms: string, use: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = new Engine(root, { MANIFEST_ALGORITHMS: algorithms }, source);
    try {
      return await use(engine);
    } finally {
      await engine.close();
    }
  }

  const commitIn = async (folder: string): Promise<Commit> =>
    JSON.parse(await readFile(join(folder, '.import/commit.json'), 'utf8')) as Commit;

  it('should be accepted by md5sum, sha1sum, sha256sum and sha512sum', async () => {
    const { folder } = await withEngine('md5,sha1,sha512', (engine) => engine.import('DS-1'));
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
      const list = `.import/manifest-${algorithm}.txt`;
      await run(`${algorithm}sum`, ['-c', '--strict', '--quiet', list], { cwd: folder });
      expect((await readFile(join(folder, list), 'utf8')).split('\n')).toHaveLength(4);
    }
    const { content } = await commitIn(folder);
    const text = await readFile(join(folder, '.import/manifest-md5.txt'));
    expect(content.manifests).toMatchObject({ md5: digest('sha256', text) });
    const [first = ''] = (await readFile(join(folder, '.import/files.ndjson'), 'utf8')).split('\n');
    expect((JSON.parse(first) as FileRecord).digests).toMatchObject({ md5: digest('md5', 'one') });
  });

  it('should be SHA-256 alone when nothing else is set', async () => {
    const { folder } = await withEngine('sha256', (engine) => engine.import('DS-1'));
    expect((await commitIn(folder)).content.manifests).toBeUndefined();
    await expect(readFile(join(folder, '.import/manifest-md5.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('should be complete without a second reading of finished files when the import continues', async () => {
    source.denied = 'later';
    expect(await withEngine('md5', (engine) => engine.failureOf('DS-1'))).toMatchObject({ code: 'source.denied' });
    source.denied = null;
    source.opened.length = 0;
    const { folder } = await withEngine('md5', (engine) => engine.import('DS-1', { token: 'T2' }));
    expect(source.opened).toEqual(['later']);
    await run('md5sum', ['-c', '--strict', '--quiet', '.import/manifest-md5.txt'], { cwd: folder });
  });

  it('should be complete when an algorithm is added before the import continues', async () => {
    source.denied = 'later';
    await withEngine('sha256', (engine) => engine.failureOf('DS-1'));
    source.denied = null;
    source.opened.length = 0;
    const { folder } = await withEngine('sha256,md5', (engine) => engine.import('DS-1', { token: 'T2' }));
    expect(source.opened.sort()).toEqual(Object.keys(files));
    await run('md5sum', ['-c', '--strict', '--quiet', '.import/manifest-md5.txt'], { cwd: folder });
  });

  it('should be verified like the list of files', async () => {
    await withEngine('md5', async (engine) => {
      const { folder } = await engine.import('DS-1');
      expect((await engine.verify('DS-1')).failures.count).toBe(0);
      const manifest = join(folder, '.import/manifest-md5.txt');
      await chmod(manifest, 0o640);
      await appendFile(manifest, 'more\n');
      expect((await engine.verify('DS-1')).failures.named).toMatchObject([
        { code: 'list.changed', path: '.import/manifest-md5.txt' },
      ]);
    });
  });
});

describe('GET /datasets/srcsys/:id/manifest', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create({ MANIFEST_ALGORITHMS: 'sha256,md5' });
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
    await system.startServer();
    await system.startWorker();
    await system.post('/datasets/srcsys/import?wait=30', { dataset_id: 'DS-1' });
  });

  afterAll(() => system.stop());

  it.each([
    ['?algorithm=md5', 'application/json', `${digest('md5', '1')}  a\n`],
    ['?algorithm=sha256', '*/*', `${digest('sha256', '1')}  a\n`],
    ['', 'text/plain', `${digest('sha256', '1')}  a\n`],
  ])('should return the lines of the algorithm: %s', async (query, Accept, lines) => {
    const { status, text, headers } = await system.get(`/datasets/srcsys/DS-1/manifest${query}`, { Accept });
    expect([status, text, headers.get('content-type')]).toEqual([200, lines, 'text/plain; charset=utf-8']);
  });

  it.each([
    ['?algorithm=sha512', 404],
    ['?algorithm=crc32', 400],
  ])('should refuse an algorithm that was not written or is unknown: %s', async (query, status) => {
    expect((await system.get(`/datasets/srcsys/DS-1/manifest${query}`)).status).toBe(status);
  });
});
