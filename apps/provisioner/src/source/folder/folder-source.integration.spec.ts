import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { layFiles } from '../../../test/support/delivery.js';
import { itIsASourceSystem } from '../../../test/support/source-system.contract.js';
import { SourceChangedError, type SourceEntry, type SourcePlace, type WalkItem } from '../../model/source-system.js';
import { FolderSource } from './folder-source.js';

describe(FolderSource.name, () => {
  let root: string;
  let source: FolderSource;
  const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' } as const;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'folder-source-'));
    source = new FolderSource(root, '.ready');
  });

  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  itIsASourceSystem(async (reference, files) => {
    await layFiles(join(root, reference), files);
    return source;
  });

  it('should fail the probe when its folder does not exist', async () => {
    await expect(new FolderSource(join(root, 'gone'), '.ready').probe()).rejects.toMatchObject({ errno: 'ENOENT' });
  });

  it('should return the states of the folders to a place, to the first that is missing or a link', async () => {
    await layFiles(root, { 'SUB-1/DS-1/a': '1' });
    await symlink('SUB-1', join(root, 'SUB-2'));
    const expected = await Promise.all(
      ['', 'SUB-1', 'SUB-1/DS-1'].map(async (path) => {
        const { ino, mtimeNs } = await stat(join(root, path), { bigint: true });
        return { inode: String(ino), changed: String(mtimeNs) };
      }),
    );
    expect(await source.foldersTo(place)).toEqual(expected);
    expect(await source.foldersTo({ ...place, id: 'DS-2' })).toEqual(expected.slice(0, 2));
    expect(await source.foldersTo({ ...place, submission: 'SUB-2' })).toEqual(expected.slice(0, 1));
    expect(await new FolderSource(join(root, 'gone'), '.ready').foldersTo(place)).toEqual([]);
  });

  it('should list nothing and fail the probe when the source lacks its identity', async () => {
    const marked = new FolderSource(root, '.ready', 'landing-zone-1');
    for (const call of [marked.probe(), marked.list()]) await expect(call).rejects.toThrow('.source-id');
    await writeFile(join(root, '.source-id'), 'landing-zone-1\n');
    for (const call of [marked.probe(), marked.list()]) await expect(call).resolves.not.toThrow();
  });

  it('should report a folder that is too deep without its entries', async () => {
    await layFiles(root, { 'SUB-1/DS-1/a': '1' });
    let folder = openSync(join(root, 'SUB-1/DS-1'), 'r');
    for (let depth = 0; depth < 4_000; depth += 1) {
      const below = `/proc/self/fd/${String(folder)}/d`;
      mkdirSync(below);
      const next = openSync(below, 'r');
      closeSync(folder);
      folder = next;
    }
    closeSync(folder);
    const found = await problems();
    await promisify(execFile)('rm', ['-rf', join(root, 'SUB-1')]);
    expect(found).toEqual([`name.too_long ${'d/'.repeat(1536)}d`]);
  });

  it('should report entries that are not files or folders, and follow no link', async () => {
    await layFiles(join(root, 'SUB-1'), { 'DS-1/a': '1', 'other/secret': '2' });
    await symlink('../other', join(root, 'SUB-1/DS-1/folder'));
    await symlink('/etc/passwd', join(root, 'SUB-1/DS-1/link'));
    await promisify(execFile)('mkfifo', [join(root, 'SUB-1/DS-1/pipe')]);
    expect(await problems()).toEqual(['file.symlink folder', 'file.symlink link', 'file.special pipe']);
    for (const path of ['link', 'folder/secret']) {
      const opened = source.open(place, { path, size: 1, version: '' }, () => Promise.resolve(Buffer.alloc(1)));
      await expect(opened[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(SourceChangedError);
    }
  });

  it('should report names that other systems cannot hold', async () => {
    await layFiles(join(root, 'SUB-1/DS-1'), {
      '.Import/x': '',
      '.import/x': '',
      Same: '',
      same: '',
      'e\u0301': '',
      '\u00e9': '',
    });
    await writeFile(Buffer.concat([Buffer.from(`${join(root, 'SUB-1/DS-1')}/caf`), Buffer.from([0xe9])]), '');
    expect(await problems()).toEqual([
      'name.reserved .Import',
      'name.reserved .import',
      expect.stringMatching(/^name.not_utf8 caf/),
      'name.collision same',
      'name.collision \u00e9',
    ]);
  });

  // Root may read every file.
  (process.getuid?.() === 0 ? it.skip : it)('should report what it may not read, and list the rest', async () => {
    await layFiles(root, { 'SUB-1/DS-1/closed/a': '1', 'SUB-1/DS-2/a': '1', 'SUB-2/DS-3/a': '1' });
    const closed = ['SUB-1/DS-1/closed', 'SUB-1/DS-2', 'SUB-2'].map((path) => join(root, path));
    for (const path of closed) await chmod(path, 0);
    expect(await problems()).toEqual(['source.denied closed']);
    expect(await problems({ ...place, id: 'DS-2' })).toEqual(['source.denied ']);
    expect(await problems({ kind: 'submission', submission: 'SUB-2', id: 'SUB-2' })).toEqual(['source.denied ']);
    expect(await source.isMarked({ ...place, id: 'DS-2' })).toBe(false);
    const [one, two] = await source.list();
    expect([one?.datasets, two?.datasets]).toEqual([['DS-1', 'DS-2'], []]);
    for (const path of closed) await chmod(path, 0o750);
    expect((await source.list())[1]?.datasets).toEqual(['DS-3']);
  });

  it('should not follow a link when the link replaces a folder during the walk', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => [`${String(index)}/a`, ''] as const);
    await layFiles(join(root, 'SUB-1/DS-1'), { ...Object.fromEntries(many), 'z/two': '2' });
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere/secret'), '');
    const walk = source.walk(place)[Symbol.asyncIterator]();
    const { value } = (await walk.next()) as { readonly value: readonly WalkItem[] };
    await rename(join(root, 'SUB-1/DS-1/z'), join(root, 'moved'));
    await symlink(join(root, 'elsewhere'), join(root, 'SUB-1/DS-1/z'));
    const walked = [...value];
    const rest = async (): Promise<void> => {
      for (let next = await walk.next(); next.done !== true; next = await walk.next()) walked.push(...next.value);
    };
    // The first part of the place shows either the folder, which is then missing, or the link.
    await rest().catch((error: unknown) => {
      expect(error).toMatchObject({ errno: expect.stringMatching(/ENOTDIR|ELOOP/) as string });
    });
    expect(walked.map(({ entry }) => entry?.path)).not.toContain('z/secret');
  });

  it('should yield a large place in the same order as a walk of one folder after the other', async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 1_300; at += 1) files[`flat/${String(at)}`] = '';
    for (let at = 0; at < 60; at += 1) files[`deep/${String(at)}/x/y`] = '';
    await layFiles(join(root, 'SUB-1/DS-1'), files);
    const expected = new Set<string>();
    for (const path of Object.keys(files).sort(compareNames)) {
      const names = path.split('/');
      names.forEach((_, depth) => expected.add(names.slice(0, depth + 1).join('/')));
    }
    const walked: string[] = [];
    for await (const items of source.walk(place)) walked.push(...items.flatMap(({ entry }) => entry?.path ?? []));
    expect(walked).toEqual([...expected]);
  });

  it('should leave the event loop free during a walk', async () => {
    const files = Array.from({ length: 3_000 }, (_, at) => [`${String(at % 3)}/${String(at)}`, ''] as const);
    await layFiles(join(root, 'SUB-1/DS-1'), Object.fromEntries(files));
    let turns = 0;
    let isWalking = true;
    const turn = (): void => {
      turns += 1;
      if (isWalking) setImmediate(turn);
    };
    turn();
    expect(await problems()).toEqual([]);
    isWalking = false;
    expect(turns).toBeGreaterThan(files.length / 512);
  });

  it('should fail to read a file when the file changed after the walk or changes during the read', async () => {
    await layFiles(join(root, 'SUB-1/DS-1'), { a: '12' });
    const path = join(root, 'SUB-1/DS-1/a');
    const walked = async (): Promise<SourceEntry[]> => {
      const entries: SourceEntry[] = [];
      for await (const items of source.walk(place)) entries.push(...items.flatMap(({ entry }) => entry ?? []));
      return entries;
    };
    const read = async (file: SourceEntry, change: () => Promise<void>): Promise<void> => {
      for await (const bytes of source.open(place, file, () => Promise.resolve(Buffer.alloc(1)))) {
        expect(bytes).toHaveLength(1);
        await change();
      }
    };
    const touch = (): Promise<void> => utimes(path, 1, 1);
    const [file] = await walked();
    if (!file) throw new Error('the file was not walked');
    await expect(read(file, touch)).rejects.toThrow(SourceChangedError);
    await expect(read(file, () => Promise.resolve())).rejects.toThrow(SourceChangedError);
    for (const each of await walked()) await read(each, () => Promise.resolve());
  });

  async function problems(of: SourcePlace = place): Promise<string[]> {
    const found: string[] = [];
    for await (const items of source.walk(of))
      for (const { problem } of items) if (problem) found.push(`${problem.code} ${problem.path ?? ''}`);
    return found;
  }
});

/** Compares paths name by name. */
function compareNames(one: string, other: string): number {
  const [left, right] = [one, other].map((path) => path.replaceAll('/', '\0'));
  return (left ?? '') < (right ?? '') ? -1 : 1;
}
