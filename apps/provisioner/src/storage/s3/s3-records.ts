import { mapConcurrently } from '../../concurrency/call-for-each.js';
import type { Bucket } from '../../s3/bucket.js';
import { Layout } from '../../model/layout.js';
import { Records, type ListedRecord } from '../../model/records.js';
import { guarded } from './s3-guard.js';

/** Objects read at once. */
const readsAtOnce = 16;

/** Records as small objects; one PUT each, which is there whole or not at all. */
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

  /** A store can compare what it overwrites, not what it removes: what is written between the two calls goes too. */
  override async removeIf(path: string, isMeant: (text: string) => boolean): Promise<void> {
    const text = await this.read(path);
    if (text !== null && isMeant(text)) await this.remove(path);
  }

  override names(folder: string): Promise<readonly string[]> {
    return guarded(async () => {
      const under = `${this.keyOf(folder)}/`;
      const { objects, folders } = await this.bucket.listFolder(under);
      return [...objects.map(({ key }) => key.slice(under.length)), ...folders].sort();
    });
  }

  override list(folder: string): Promise<readonly ListedRecord[]> {
    return guarded(async () => {
      const under = `${this.keyOf(folder)}/`;
      const { objects } = await this.bucket.listFolder(under);
      return objects.map(({ key, etag }) => ({ name: key.slice(under.length), version: etag }));
    });
  }

  override readAll(paths: readonly string[]): Promise<readonly (string | null)[]> {
    return mapConcurrently(paths, readsAtOnce, (path) => this.read(path));
  }

  private keyOf(path: string): string {
    return `${this.data}/${path}`;
  }
}
