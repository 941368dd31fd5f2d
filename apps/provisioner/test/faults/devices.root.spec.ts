import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../../src/storage/posix/remove-tree.js';
import { layFiles } from '../support/delivery.js';
import { Engine } from '../support/engine.js';

const run = promisify(execFile);

/** The numbers of a device that exists for both kinds. */
const device = ['1', '1'];

describe('a delivery with a device', () => {
  it.each([
    ['a character device', 'c'],
    ['a block device', 'b'],
  ])('should be rejected and name the device when it contains %s', async (_, kind) => {
    const root = await mkdtemp(join(tmpdir(), 'devices-'));
    await layFiles(root, { 'source/SUB-1/DS-1/a': '1' });
    await mkdir(join(root, 'storage'));
    await run('mknod', [join(root, 'source/SUB-1/DS-1/x'), kind, ...device]);
    const engine = new Engine(root);
    await expect(engine.import('DS-1')).rejects.toMatchObject({ code: 'file.special', problems: [{ path: 'x' }] });
    await engine.close();
    expect(await readdir(join(root, 'storage/data/raw'))).toEqual([]);
    await removeTree(root);
  });
});
