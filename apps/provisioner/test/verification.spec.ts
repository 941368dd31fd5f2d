import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, open, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ProgressMeter } from '../src/import-runs/progress-meter.js';
import { PosixStorage } from '../src/storage/posix/posix-storage.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { layFiles } from './support/delivery.js';
import { Engine } from './support/engine.js';
import { aDraft, aFile, writeAFile } from './support/storage.contract.js';
import { until } from '../../../test/support/until.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const many = 700;

jest.setTimeout(120_000);

describe('a verification of files in a folder', () => {
  let imported: string;
  let root: string;
  let published: string;
  let engine: Engine;

  beforeAll(async () => {
    imported = await mkdtemp(join(tmpdir(), 'verification-'));
    await mkdir(join(imported, 'storage'));
    const small = Object.fromEntries(Array.from({ length: many }, (_, index) => [`s/${String(index)}`, String(index)]));
    await layFiles(join(imported, 'source/SUB-1/DS-1'), {
      ...small,
      ...{ 'a/b/c': 'deep', none: '', edge: Buffer.alloc(mebibyte, 'e'), over: Buffer.alloc(mebibyte + 1, 'o') },
      large: Buffer.alloc(9 * mebibyte, 'l'),
    });
    await mkdir(join(imported, 'source/SUB-1/DS-1/empty'));
    const importing = new Engine(imported);
    await importing.import('DS-1');
    await importing.close();
  });

  afterAll(() => removeTree(imported));

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'verification-'));
    await run('cp', ['-a', join(imported, 'storage'), root]);
    published = join(root, 'storage/data/raw/DS-1');
    engine = new Engine(root);
  });

  afterEach(async () => {
    await engine.close();
    await removeTree(root);
  });

  const differences = async (): Promise<unknown> => {
    const { failures } = await engine.verify('DS-1');
    return failures.named.map(({ path, code }) => [path, code]);
  };

  /** Makes a folder writable, changes it, and restores its permissions. */
  async function tamper(folder: string, how: (folder: string) => Promise<void>): Promise<void> {
    await chmod(join(published, folder), 0o750);
    await how(join(published, folder));
    await chmod(join(published, folder), 0o550);
  }

  /** Changes the last byte of a file. */
  async function flip(path: string): Promise<void> {
    await chmod(join(published, path), 0o640);
    const file = await open(join(published, path), 'r+');
    await file.write('?', (await file.stat()).size - 1);
    await file.close();
    await chmod(join(published, path), 0o440);
  }

  it('should report no difference and count the read files and bytes when nothing was changed', async () => {
    const meter = new ProgressMeter();
    const { failures, result } = await engine.verify('DS-1', { meter });
    expect(failures.named).toEqual([]);
    const { files_done, files_total, bytes_done, bytes_total, current } = meter.read();
    expect([files_done, files_total]).toEqual([many + 5, many + 5]);
    expect([bytes_done, bytes_total]).toEqual([result.bytes, result.bytes]);
    expect(current).toEqual([]);
  });

  it('should report files of any size and batch when their last bytes differ', async () => {
    const paths = ['a/b/c', 'edge', 'large', 'over', 's/0', 's/500', 's/699'];
    for (const path of paths) await flip(path);
    expect(await differences()).toEqual(paths.map((path) => [path, 'checksum.mismatch']));
  });

  it('should report added and missing files when their numbers are equal', async () => {
    await tamper('s', async (folder) => {
      await rename(join(folder, '1'), join(folder, 'one'));
      await rename(join(folder, '2'), join(folder, '2\n'));
    });
    expect(await differences()).toEqual([
      ['s/1', 'file.missing'],
      ['s/2', 'file.missing'],
      ['s/2\n', 'file.unlisted'],
      ['s/one', 'file.unlisted'],
    ]);
  });

  it('should report a missing folder and a link that replaced a folder', async () => {
    await tamper('', async (folder) => {
      await rmdir(join(folder, 'empty'));
      await chmod(join(folder, 'a'), 0o750); // a folder must be writable to be moved
      await rename(join(folder, 'a'), join(root, 'aside'));
      await symlink(join(root, 'aside'), join(folder, 'a'));
    });
    expect(await differences()).toEqual([
      ['a', 'file.special'],
      ['a/b', 'file.missing'],
      ['a/b/c', 'file.missing'],
      ['empty', 'file.missing'],
    ]);
  });

  it('should report a pipe and a folder that replaced files', async () => {
    await tamper('s', async (folder) => {
      for (const name of ['1', '2']) await rm(join(folder, name));
      await run('mkfifo', [join(folder, '1')]);
      await mkdir(join(folder, '2'));
      await writeFile(join(folder, '2/3'), '');
    });
    expect(await differences()).toEqual([
      ['s/1', 'file.special'],
      ['s/2', 'file.special'],
      ['s/2/3', 'file.unlisted'],
    ]);
  });

  it('should check the other files when a file cannot be read', async () => {
    await flip('s/9');
    await chmod(join(published, 's/1'), 0);
    const isRoot = process.getuid?.() === 0;
    expect(await differences()).toEqual([
      ['s/1', 'mode.changed'],
      ...(isRoot ? [] : [['s/1', 'storage.denied']]),
      ['s/9', 'checksum.mismatch'],
    ]);
  });

  it('should report a changed list and ignore its lines with stray paths', async () => {
    const list = join(published, '.import/files.ndjson');
    await chmod(list, 0o640);
    const stray = ['/etc/passwd', '../../../x', 's/../../x', 's//1', '.', ''];
    const lines = stray.map((path) => JSON.stringify({ path, type: 'file', size: 1, sha256: '' }));
    await appendFile(list, ['', 'null', '{', '{"path":1}', ...lines, ''].join('\n'));
    expect(await differences()).toEqual([['.import/files.ndjson', 'list.changed']]);
  });

  it('should report a changed list when the list is missing', async () => {
    await tamper('.import', (folder) => rm(join(folder, 'files.ndjson')));
    expect(await differences()).toEqual([['.import/files.ndjson', 'list.changed']]);
  });

  it('should report the manifest when it was changed or is missing', async () => {
    await flip('.import/manifest-sha256.txt');
    expect(await differences()).toEqual([['.import/manifest-sha256.txt', 'list.changed']]);
    await tamper('.import', (folder) => rm(join(folder, 'manifest-sha256.txt')));
    expect(await differences()).toEqual([['.import/manifest-sha256.txt', 'list.changed']]);
  });

  it.each([
    ['withdrawn', false],
    ['withdrawn and imported again', true],
  ])('should report no missing file when the dataset is %s during the verification', async (_, isImportedAgain) => {
    const slow = new Engine(root, { FIXITY_RATE_LIMIT: '4M' });
    const storage = new PosixStorage(join(root, 'storage'));
    const subject = { kind: 'dataset', id: 'DS-1' } as const;
    const meter = new ProgressMeter();
    try {
      const verified = slow.verify('DS-1', { meter });
      verified.catch(() => undefined);
      await until(() => meter.read().bytes_done > 0);
      await storage.withdraw(subject, 'IMPORT-DS-1', 'W1');
      if (isImportedAgain) {
        const attempt = await storage.openAttempt(subject, 'T2', 'sha256:1');
        await writeAFile(attempt);
        await attempt.list([aFile]);
        await attempt.publish(aDraft('IMPORT-2'));
      }
      expect(meter.read().bytes_done).toBeLessThan(meter.bytesTotal ?? 0);
      await expect(verified).rejects.toMatchObject({ code: 'not_imported', problems: [] });
    } finally {
      await slow.close();
    }
  });

  it('should stop when it is aborted while the rate limit delays it', async () => {
    const slow = new Engine(root, { FIXITY_RATE_LIMIT: '1M' });
    const [abort, meter] = [new AbortController(), new ProgressMeter()];
    try {
      const stopped = slow.verify('DS-1', { signal: abort.signal, meter });
      stopped.catch(() => undefined);
      await until(() => meter.read().bytes_done > 0);
      abort.abort(new Error('stopped'));
      meter.abort();
      await expect(stopped).rejects.toThrow('stopped');
      expect(meter.read().bytes_done).toBeLessThan(meter.bytesTotal ?? 0);
    } finally {
      await slow.close();
    }
  });
});
