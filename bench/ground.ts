import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isThere } from './command.ts';

const run = promisify(execFile);

/** A folder for the files of a benchmark. */
export interface Ground {
  readonly folder: string;
  /** Empties the folder. A file system of its own is created again. */
  renew(): Promise<void>;
  /** Removes the folder's files from the page cache. */
  chill(): Promise<void>;
  remove(): Promise<void>;
}

/** Creates a ground in memory, so that no disk is measured. */
export async function inMemory(): Promise<Ground> {
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bench-copy-'));
  return {
    folder,
    renew: async () => {
      await empty(folder);
    },
    chill: () => Promise.resolve(),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The location of an image: in memory, so that only the file system is measured, or on the disk without a second cache. */
export type ImagePlace = 'memory' | 'disk';

const makers = { ext4: ['mkfs.ext4', '-q', '-F'], xfs: ['mkfs.xfs', '-q', '-f'], btrfs: ['mkfs.btrfs', '-q', '-f'] };

/** Returns the reason for which a file system of a kind cannot be created on this machine, or null if it can. */
export async function lacksImage(kind: keyof typeof makers): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root mounts an image';
  const [maker = ''] = makers[kind];
  if (!(await isThere(maker))) return `${maker} is not here`;
  return (await run('losetup', ['-f']).catch(() => null)) ? null : 'there are no loop devices';
}

/** Creates a ground with its own file system, in an image on a loop device. Requires root. */
export async function onImage(kind: keyof typeof makers, bytes: number, place: ImagePlace): Promise<Ground> {
  const home = await mkdtemp(join(place === 'memory' ? '/dev/shm' : tmpdir(), 'bench-image-'));
  const [image, folder] = [join(home, 'image'), join(home, 'mounted')];
  await mkdir(folder);
  await writeFile(image, '');
  await truncate(image, bytes);
  const direct = place === 'disk' ? ['--direct-io=on'] : [];
  const device = (await run('losetup', ['-f', '--show', ...direct, image])).stdout.trim();
  const [maker = '', ...options] = makers[kind];
  const mount = (): Promise<unknown> => run('mount', [device, folder]);
  const unmount = (): Promise<unknown> => run('umount', [folder]);
  const renew = async (): Promise<void> => {
    await unmount().catch(() => undefined);
    await run(maker, [...options, device]);
    await mount();
  };
  const remove = async (): Promise<void> => {
    await unmount().catch(() => undefined);
    await run('losetup', ['-d', device]);
    await rm(home, { recursive: true, force: true });
  };
  try {
    await renew();
  } catch (error) {
    await remove();
    throw error;
  }
  const chill = async (): Promise<void> => {
    await unmount();
    await mount();
  };
  return { folder, renew, chill, remove };
}

/** Creates two grounds on one file system in memory, so that files can be cloned between them. Requires root. */
export async function onOneImage(kind: keyof typeof makers, bytes: number): Promise<readonly [Ground, Ground]> {
  const whole = await onImage(kind, bytes, 'memory');
  const part = async (name: string): Promise<Ground> => {
    const folder = join(whole.folder, name);
    await mkdir(folder);
    return { ...whole, folder, renew: () => empty(folder) };
  };
  return [{ ...(await part('source')), remove: () => Promise.resolve() }, await part('target')];
}

async function empty(folder: string): Promise<void> {
  await run('sh', ['-c', 'chmod -R u+w "$0" && rm -rf "$0"/* "$0"/.[!.]*', folder]);
}
