import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Engine } from '../support/engine.js';
import { MountedImage } from './support/mounted-image.js';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

for (const kind of ['xfs', 'btrfs'] as const) {
  ((await MountedImage.isPossible(kind)) ? describe : describe.skip)(`a copy within one ${kind}`, () => {
    let image: MountedImage;

    beforeAll(async () => {
      image = await MountedImage.make(kind);
    });

    afterAll(() => image.remove());

    it('should clone a large file with the correct digest, time and mode', async () => {
      const dataset = join(image.root, 'source/SUB-1/DS-1');
      await mkdir(dataset, { recursive: true });
      await mkdir(join(image.root, 'storage'));
      const [large, small] = [64 * mebibyte, 1000];
      await writeFile(join(dataset, 'large'), randomFillSync(Buffer.alloc(large)), { mode: 0o755 });
      await writeFile(join(dataset, 'small'), randomFillSync(Buffer.alloc(small)));
      const before = await image.used();
      const engine = new Engine(image.root);
      const { folder: published } = await engine.import('DS-1');
      await engine.close();
      expect((await image.used()) - before).toBeLessThan(large / 4);
      await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: published });
      const [copy, source] = await Promise.all([stat(join(published, 'large')), stat(join(dataset, 'large'))]);
      expect((copy.mode & 0o7777).toString(8)).toBe('440');
      expect(Math.abs(copy.mtimeMs - source.mtimeMs)).toBeLessThan(0.01);
      await writeFile(join(dataset, 'large'), 'overwritten');
      await run('sha256sum', ['-c', '--strict', '--quiet', '.import/manifest-sha256.txt'], { cwd: published });
    });
  });
}
