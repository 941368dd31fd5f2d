import { hash } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isIntact } from './staged-file.js';

describe(isIntact.name, () => {
  let folder: string;
  const sha256 = hash('sha256', 'hello');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'staged-file-'));
    await writeFile(join(folder, 'file'), 'hello');
    await symlink('file', join(folder, 'link'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    ['file', { size: 5 }, true],
    ['file', { size: 4 }, false],
    ['file', { size: 5, sha256 }, true],
    ['file', { size: 5, sha256: hash('sha256', 'jello') }, false],
    ['gone', { size: 5 }, false],
    ['file/below', { size: 5 }, false],
    ['link', { size: 5 }, false],
  ])('should check %s against %j and return %s', async (name, expected, result) => {
    expect(await isIntact(join(folder, name), expected)).toBe(result);
  });
});
