import { GetObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Bucket } from '../../../src/s3/bucket.js';

/** A file as an independent reader finds it. */
export interface SeenFile {
  /** Relative to the root that was read. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** The modification time; in a folder in nanoseconds. */
  readonly writtenAt: string;
  /** A text that changes when the file is written again; in a bucket its modification time. */
  readonly identity: string;
  /** Permission bits, octal; null in a bucket. */
  readonly mode: string | null;
}

/** The content of a folder or bucket, read with the file system or the S3 client only. */
export interface Seen {
  readonly files: ReadonlyMap<string, SeenFile>;
  /** Folders by path, with their permission bits; empty for a bucket. */
  readonly folders: ReadonlyMap<string, string>;
  /** Paths of links, pipes and other special files, and keys of open uploads. */
  readonly oddities: readonly string[];
}

export async function lookAtFolder(root: string): Promise<Seen> {
  const files = new Map<string, SeenFile>();
  const folders = new Map<string, string>();
  const oddities: string[] = [];
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    const fullPath = join(entry.parentPath, entry.name);
    const path = relative(root, fullPath);
    const stats = await unlessGone(['ENOENT'], () => lstat(fullPath, { bigint: true }));
    if (!stats) continue;
    const mode = (stats.mode & 0o7777n).toString(8);
    if (entry.isDirectory()) folders.set(path, mode);
    else if (!entry.isFile()) oddities.push(path);
    else {
      const sha256 = await unlessGone(['ENOENT'], () => sha256Of(createReadStream(fullPath)));
      if (sha256 === null) continue;
      const times = { writtenAt: String(stats.mtimeNs), identity: `${String(stats.ino)}:${String(stats.ctimeNs)}` };
      files.set(path, { path, size: Number(stats.size), sha256, mode, ...times });
    }
  }
  return { files, folders, oddities };
}

export async function lookAtBucket({ client, name, prefix }: Bucket): Promise<Seen> {
  const files = new Map<string, SeenFile>();
  let token: string | undefined;
  do {
    const page = await client.send(new ListObjectsV2Command({ Bucket: name, ContinuationToken: token }));
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
      const read = () => client.send(new GetObjectCommand({ Bucket: name, Key }));
      const object = await unlessGone(['NoSuchKey'], read);
      if (!object) continue;
      const sha256 = await sha256Of(object.Body as AsyncIterable<Buffer>);
      const path = Key.startsWith(prefix) ? Key.slice(prefix.length) : `outside/${Key}`;
      const writtenAt = LastModified?.toISOString() ?? '';
      files.set(path, { path, size: Size, sha256, mode: null, writtenAt, identity: writtenAt });
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: name }));
  return { files, folders: new Map(), oddities: Uploads.map(({ Key = '' }) => `upload of ${Key}`) };
}

/**
 * Runs a call on an entry of a list. @returns null if the entry was removed after the list: services remove records of
 * their scans at any time
 */
async function unlessGone<T>(codes: readonly string[], call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    const { code = '', name } = error as NodeJS.ErrnoException;
    if (codes.includes(code) || codes.includes(name)) return null;
    throw error;
  }
}

async function sha256Of(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
