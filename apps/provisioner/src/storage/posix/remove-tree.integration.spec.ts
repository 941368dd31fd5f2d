import { chmod, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from './remove-tree.js';

describe(removeTree.name, () => {
  let root: string;
  let tree: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'remove-tree-'));
    tree = join(root, 'tree');
    await mkdir(join(tree, 'a/b/c'), { recursive: true });
  });

  afterEach(() => removeTree(root));

  it('should remove read-only files and folders without following links', async () => {
    await mkdir(join(root, 'other'));
    await writeFile(join(root, 'other/kept'), '');
    await symlink(join(root, 'other'), join(tree, 'a/link'));
    for (const path of ['a/1', 'a/b/2', 'a/b/c/3']) await writeFile(join(tree, path), '', { mode: 0o440 });
    for (const folder of ['a/b/c', 'a/b', 'a', '']) await chmod(join(tree, folder), 0o550);
    await removeTree(tree);
    expect([await readdir(root), await readdir(join(root, 'other'))]).toEqual([['other'], ['kept']]);
  });

  it('should remove a single file and accept a missing path', async () => {
    await writeFile(join(root, 'file'), '');
    await removeTree(join(root, 'file'));
    await removeTree(join(root, 'none'));
    expect(await readdir(root)).toEqual(['tree']);
  });

  it('should limit the number of concurrent removals', async () => {
    for (let index = 0; index < 3_000; index += 1) await writeFile(join(tree, 'a/b', String(index)), '');
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length);
    }, 1);
    await removeTree(tree);
    clearInterval(timer);
    expect(await readdir(root)).toEqual([]);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(100);
  });
});
