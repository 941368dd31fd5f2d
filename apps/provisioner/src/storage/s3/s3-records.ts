import { mapConcurrently } from '../../concurrency/for-each-concurrently.js';
import type { Bucket } from '../../s3/bucket.js';
import { Layout } from '../../model/layout.js';
import { Records, type ListedRecord } from '../../model/records.js';
import { guarded } from './s3-guard.js';

/** Objects read at once. */
const readsAtOnce = 16;

/** Records as small objects. One PUT writes each record atomically. */
export class S3Records extends Records {
  private readonly data = new Layout('').data;

  constructor(private readonly bucket: Bucket) {
    super();
  }

  override read(path: string): Promise<string | null> {
    return guarded(async () => (await this.bucket.get(this.keyOf(path)))?.toString() ?? null);
  }

  override async write(path: string, text: string): Promise<void> {
    await guarded(() => this.bucket.put(this.keyOf(path), Buffer.from(text)));
  }

  override replace(path: string, text: string): Promise<void> {
    return this.write(path, text);
  }

  override create(path: string, text: string): Promise<boolean> {
    return guarded(async () => (await this.bucket.create(this.keyOf(path), Buffer.from(text))) !== null);
  }

  override remove(path: string): Promise<void> {
    return guarded(() => this.bucket.remove(this.keyOf(path)));
  }

  /** A store has no conditional removal, so a record that is written between the two calls is removed too. */
  override async removeIf(path: string, matches: (text: string) => boolean): Promise<void> {
    const text = await this.read(path);
    if (text !== null && matches(text)) await this.remove(path);
  }

  override names(folder: string): Promise<readonly string[]> {
    return guarded(async () => {
      const prefix = `${this.keyOf(folder)}/`;
      const { objects, folders } = await this.bucket.listFolder(prefix);
      return [...objects.map(({ key }) => key.slice(prefix.length)), ...folders].sort();
    });
  }

  override list(folder: string): Promise<readonly ListedRecord[]> {
    return guarded(async () => {
      const prefix = `${this.keyOf(folder)}/`;
      const { objects } = await this.bucket.listFolder(prefix);
      return objects.map(({ key, etag }) => ({ name: key.slice(prefix.length), version: etag }));
    });
  }

  override readAll(paths: readonly string[]): Promise<readonly (string | null)[]> {
    return mapConcurrently(paths, readsAtOnce, (path) => this.read(path));
  }

  private keyOf(path: string): string {
    return `${this.data}/${path}`;
  }
}
