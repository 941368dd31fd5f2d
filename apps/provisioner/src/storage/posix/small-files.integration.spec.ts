import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSmallFiles } from './small-files.js';

describe(readSmallFiles.name, () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'small-files-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function textsOf(paths: readonly string[]): Promise<(string | null)[]> {
    const texts: (string | null)[] = [];
    await readSmallFiles(paths, (at, text) => {
      texts[at] = text;
    });
    return texts;
  }

  it.each([10, 2_003])('should read %d files and return null for files that do not exist', async (count) => {
    const expected = Array.from({ length: count }, (_, index): string | null => `é ${String(index)}`);
    expected[3] = '';
    expected[5] = 'ü'.repeat(400_000);
    const paths = expected.map((_, index) => join(folder, String(index)));
    for (const [index, path] of paths.entries()) await writeFile(path, expected[index] ?? '');
    expected.push(null, null);
    expect(await textsOf([...paths, join(folder, 'absent'), join(folder, '0/below')])).toEqual(expected);
  });

  it.each([10, 1_000])('should fail with the system error when one of %d paths is a folder', async (count) => {
    await mkdir(join(folder, 'one'));
    const paths = Array.from({ length: count }, (_, index) => join(folder, index === 7 ? 'one' : 'absent'));
    await expect(textsOf(paths)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
