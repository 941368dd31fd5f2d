import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type * as Locations from '../apps/provisioner/src/s3/s3-location.js';
import type { RunningCeph } from '../scripts/ceph.ts';
import { layDataset, urlOf } from './copy-stage.ts';
import { inMemory } from './ground.ts';

/** The role of a side. */
export type Role = 'SOURCE' | 'STORAGE';

/** One side of a copy: a folder in memory, or a bucket of a Ceph store. */
export interface Side {
  /** The provisioner's settings for this side. */
  readonly settings: Readonly<Record<string, string>>;
  /** The environment of rclone for this side, and rclone's name for a path below it. */
  readonly rclone: { readonly env: readonly string[]; readonly root: string };
  /** Writes the dataset `id` of a source, with `count` files of `size` bytes each. */
  lay(id: string, count: number, size: number): Promise<void>;
  /** Removes all files of this side. */
  renew(): Promise<void>;
  remove(): Promise<void>;
}

export async function folderAs(role: Role): Promise<Side> {
  const ground = await inMemory();
  return {
    settings: { [`${role}_URL`]: urlOf(ground.folder) },
    rclone: { env: [], root: ground.folder },
    lay: (id, count, size) => layDataset(ground.folder, id, count, size),
    renew: () => ground.renew(),
    remove: () => ground.remove(),
  };
}

/** Creates a bucket. Each role is another remote of rclone, so that rclone does not delegate the copy to the store. */
export async function bucketAs(role: Role, ceph: RunningCeph): Promise<Side> {
  const module = new URL('../apps/provisioner/dist/s3/s3-location.js', import.meta.url).href;
  const { openBucket } = (await import(module)) as typeof Locations;
  const { endpoint, accessKeyId, secretAccessKey } = ceph;
  const url = `s3://bench-${randomUUID()}`;
  const bucket = openBucket(url, { endpoint, accessKeyId, secretAccessKey, region: 'us-east-1' });
  await bucket.client.send(new CreateBucketCommand({ Bucket: bucket.name }));
  const keys = { ENDPOINT: endpoint, ACCESS_KEY_ID: accessKeyId, SECRET_ACCESS_KEY: secretAccessKey };
  const told = (prefix: string): [string, string][] =>
    Object.entries(keys).map(([name, value]) => [`${prefix}_${name}`, value]);
  const remote = Object.entries({ TYPE: 's3', PROVIDER: 'Ceph' }).map(([name, value]) => [name, value].join('='));
  const renew = async (): Promise<void> => {
    await bucket.removeAll('');
    await ceph.reclaim();
  };
  return {
    settings: { [`${role}_URL`]: url, ...Object.fromEntries(told(`${role}_S3`)) },
    rclone: {
      env: [
        ...remote.map((setting) => `RCLONE_CONFIG_${role}_${setting}`),
        ...told(`RCLONE_CONFIG_${role}`).map((setting) => setting.join('=')),
      ],
      root: `${role.toLowerCase()}:${bucket.name}`,
    },
    lay: (id, count, size) =>
      upload(id, count, size, async (key, bytes) => {
        await bucket.put(key, bytes);
      }),
    renew,
    remove: renew,
  };
}

async function upload(
  id: string,
  count: number,
  size: number,
  put: (key: string, bytes: Buffer) => Promise<void>,
): Promise<void> {
  const atOnce = 4;
  const ground = await inMemory();
  try {
    await layDataset(ground.folder, id, count, size);
    const entries = await readdir(ground.folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const rest = paths.values();
    const putOn = async (): Promise<void> => {
      for (const path of rest) await put(relative(ground.folder, path), await readFile(path));
    };
    await Promise.all(Array.from({ length: atOnce }, putOn));
  } finally {
    await ground.remove();
  }
}
