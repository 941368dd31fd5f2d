import { mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProgressMeter } from '../src/import-runs/progress-meter.js';
import type { ImportFailure } from '../src/model/failure.js';
import {
  SourceChangedError,
  SourceFailure,
  type NextBuffer,
  type PinnedFile,
  type SourcePlace,
} from '../src/model/source-system.js';
import { FolderSource } from '../src/source/folder/folder-source.js';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { digest, layFiles } from './support/delivery.js';
import { Engine, settingsOf } from './support/engine.js';

/** A source that notes the opened files, and calls a function before it opens a file. */
class WatchedSource extends FolderSource {
  readonly opened: string[] = [];
  onOpen: (path: string) => void = () => undefined;

  override open(place: SourcePlace, file: PinnedFile, next: NextBuffer): AsyncGenerator<Buffer> {
    this.opened.push(file.path);
    this.onOpen(file.path);
    return super.open(place, file, next);
  }
}

const listOf = (files: Readonly<Record<string, string>>): string =>
  Object.entries(files)
    .map(([path, bytes]) => `${digest('sha256', bytes)}  ${path}\n`)
    .join('');

describe('a delivery with several problems', () => {
  let root: string;
  let source: WatchedSource;
  let engine: Engine;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'all-problems-'));
    await mkdir(join(root, 'storage'));
    source = new WatchedSource(join(root, 'source'), settingsOf(root).SOURCE_READY);
    engine = new Engine(root, {}, source);
    const declared = { 'a/right': 'right', 'a/wrong': 'x', 'b/wrong': 'x', 'b/denied': 'denied', gone: 'gone' };
    await layFiles(join(root, 'source/SUB-1/DS-1'), {
      ...{ 'a/right': 'right', 'a/wrong': 'y', 'b/wrong': 'y', 'b/denied': 'denied', undeclared: '' },
      SHA256SUMS: listOf(declared),
    });
    await symlink('a/right', join(root, 'source/SUB-1/DS-1/link'));
  });

  afterEach(async () => {
    await engine.close();
    await removeTree(root);
  });

  const codesOf = (failure: ImportFailure | null): readonly string[] =>
    failure?.problems.map(({ code, path = '' }) => `${code} ${path}`) ?? [];

  it('should be rejected with all of them when a plan finds some and a reading finds others', async () => {
    source.onOpen = (path) => {
      if (path === 'b/denied') throw new SourceFailure('The source cannot be read: EACCES', 'EACCES');
    };
    const failure = await engine.failureOf('DS-1');
    expect(codesOf(failure)).toEqual([
      ...['checksum.mismatch a/wrong', 'source.denied b/denied', 'checksum.mismatch b/wrong'],
      ...['file.missing gone', 'file.symlink link'],
    ]);
    expect(failure).toMatchObject({
      code: 'checksum.mismatch',
      counts: { 'checksum.mismatch': 2, 'file.missing': 1, 'file.symlink': 1, 'source.denied': 1 },
    });
    expect(failure?.message).toContain(
      'Problems in total: 1 file.missing, 1 file.symlink, 1 source.denied, 2 checksum.mismatch.',
    );
  });

  it('should be read once without its undeclared files, and leave nothing in the storage', async () => {
    await engine.failureOf('DS-1');
    expect(source.opened.filter((path) => path !== 'SHA256SUMS').sort()).toEqual([
      ...['a/right', 'a/wrong', 'b/denied', 'b/wrong'],
    ]);
    expect(await readdir(join(root, 'storage/data/raw')).catch(() => [])).toEqual([]);
    expect(await readdir(join(root, 'storage/data/.staging/dataset')).catch(() => [])).toEqual([]);
  });

  it('should not be read when it declares no checksum', async () => {
    await layFiles(join(root, 'source/SUB-1/DS-2'), { a: '1' });
    await symlink('a', join(root, 'source/SUB-1/DS-2/link'));
    expect(codesOf(await engine.failureOf('DS-2'))).toEqual(['file.symlink link']);
    expect(source.opened).toEqual([]);
  });

  it('should be read again later when it changes during the reading', async () => {
    source.onOpen = (path) => {
      if (path === 'b/denied') throw new SourceChangedError(path);
    };
    expect(await engine.failureOf('DS-1')).toMatchObject({ code: 'source.changed' });
  });

  it('should report the phase and the number of files when it is read', async () => {
    const meter = new ProgressMeter();
    await expect(engine.import('DS-1', { meter })).rejects.toThrow('Problems in total');
    expect(meter.read()).toMatchObject({ phase: 'checking', files_done: 4, files_total: 4 });
  });

  it('should no longer be read when its import is stopped', async () => {
    const stopping = new AbortController();
    source.onOpen = (path) => {
      if (path !== 'SHA256SUMS') stopping.abort(new Error('stopped'));
    };
    await expect(engine.import('DS-1', { signal: stopping.signal })).rejects.toThrow('stopped');
  });
});
