import { closeSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SourceFolder } from './source-folder.js';

describe(SourceFolder.name, () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'source-folder-'));
    await mkdir(join(root, 'SUB-1/DS-1/a'), { recursive: true });
    await writeFile(join(root, 'SUB-1/DS-1/a/file'), '1');
  });

  afterEach(() => rm(root, { recursive: true }));

  it('should open a file but refuse links that replaced a file or a folder', async () => {
    await symlink('a', join(root, 'SUB-1/DS-1/folder'));
    await symlink('file', join(root, 'SUB-1/DS-1/a/link'));
    await symlink('DS-1', join(root, 'SUB-1/DS-2'));
    const folder = new SourceFolder({ root, folders: ['SUB-1', 'DS-1'] });
    const file = folder.openFile('a/file');
    expect(readFileSync(file, 'utf8')).toBe('1');
    closeSync(file);
    expect(() => folder.openFile('a/link')).toThrow('ELOOP');
    expect(() => folder.openFile('folder/file')).toThrow(/ELOOP|ENOTDIR/);
    folder.close();
    expect(() => new SourceFolder({ root, folders: ['SUB-1', 'DS-2'] })).toThrow(/ELOOP|ENOTDIR/);
  });
});
