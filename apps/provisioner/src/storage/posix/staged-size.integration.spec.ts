import { mkdir, mkdtemp, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layFiles } from '../../../test/support/delivery.js';
import { removeTree } from './remove-tree.js';
import { StagedSizes } from './staged-size.js';

const kibibyte = 1024;

describe(StagedSizes.name, () => {
  let staging: string;
  let sizes: StagedSizes;

  beforeEach(async () => {
    staging = await mkdtemp(join(tmpdir(), 'staged-size-'));
    sizes = new StagedSizes();
  });

  afterEach(() => removeTree(staging));

  it('should return nothing when no attempt has staged files', async () => {
    expect(await sizes.of(join(staging, 'absent'), 'sha256:1')).toEqual({ bytes: 0, files: 0 });
  });

  it('should sum up files, folders and links without the records of the attempt', async () => {
    await layFiles(join(staging, 'T1'), {
      ...{ fingerprint: 'sha256:1', 'finished.ndjson': 'journal', 'payload/.import/files.ndjson': 'list' },
      ...{ 'payload/a': '12345', 'payload/b/c/d': '123', 'payload/b/.import/e': '1' },
    });
    await mkdir(join(staging, 'T1/payload/empty'));
    await symlink('a', join(staging, 'T1/payload/link'));
    expect(await sizes.of(staging, 'sha256:1')).toEqual({ bytes: 9, files: 8 });
  });

  it('should count holes of a file that is kept, and only the blocks of a file that will be removed', async () => {
    await layFiles(join(staging, 'T1'), { fingerprint: 'sha256:1', 'payload/sparse': Buffer.alloc(4 * kibibyte, 1) });
    await truncate(join(staging, 'T1/payload/sparse'), 512 * kibibyte);
    expect((await sizes.of(staging, 'sha256:1')).bytes).toBe(512 * kibibyte);
    expect((await new StagedSizes().of(staging, 'sha256:2')).bytes).toBeLessThan(512 * kibibyte);
  });

  it('should measure again when another attempt has taken over the folder', async () => {
    await layFiles(join(staging, 'T1'), { fingerprint: 'sha256:1', 'payload/a': '1' });
    expect((await sizes.of(staging, 'sha256:1')).bytes).toBe(1);
    await writeFile(join(staging, 'T1/payload/b'), '23');
    expect((await sizes.of(staging, 'sha256:1')).bytes).toBe(1);
    await rename(join(staging, 'T1'), join(staging, 'T2'));
    expect((await sizes.of(staging, 'sha256:1')).bytes).toBe(3);
  });
});
