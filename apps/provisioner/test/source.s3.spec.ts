import { forEachConcurrently } from '../src/concurrency/for-each-concurrently.js';
import type { Bucket } from '../src/s3/bucket.js';
import { S3Source } from '../src/source/s3/s3-source.js';
import { makeBucket } from './support/s3.js';
import { itIsASourceSystem } from './support/source-system.contract.js';

describe(S3Source.name, () => {
  let bucket: Bucket;

  beforeEach(async () => {
    ({ bucket } = await makeBucket());
  });

  itIsASourceSystem(async (reference, files) => {
    for (const [path, bytes] of Object.entries(files)) await bucket.put(`${reference}/${path}`, Buffer.from(bytes));
    return new S3Source(bucket, '.ready');
  });

  it('should refuse keys that a file system cannot hold, and read a key that ends with a slash as a folder', async () => {
    for (const key of ['a', 'a/b', 'c//d', 'e/../f', 'empty/']) await bucket.put(`S/D/${key}`, Buffer.from(''));
    const found = [];
    for await (const items of new S3Source(bucket, '.ready').walk({ kind: 'dataset', submission: 'S', id: 'D' })) {
      for (const { entry, problem } of items)
        found.push(problem ? `${problem.code} ${problem.path ?? ''}` : `${entry.type} ${entry.path}`);
    }
    expect(found).toEqual([
      'file a',
      'name.collision a',
      'name.invalid c//d',
      'name.invalid e/../f',
      'directory empty',
    ]);
  });

  it('should walk, list and remove all objects when the store lists them on several pages', async () => {
    const folders = Array.from({ length: 1_001 }, (_, at) => `f-${String(at)}`).sort();
    await forEachConcurrently(folders, 32, async (name) => {
      await bucket.put(`S/D/${name}/a`, Buffer.from(''));
    });
    const paths: string[] = [];
    const place = { kind: 'dataset', submission: 'S', id: 'D' } as const;
    for await (const items of new S3Source(bucket, '.ready').walk(place))
      paths.push(...items.map(({ entry }) => entry?.path ?? ''));
    expect(paths).toEqual(folders.flatMap((name) => [name, `${name}/a`]));
    expect((await bucket.listFolder('S/D/')).folders).toEqual(folders);
    await bucket.removeAll('S/');
    expect(await bucket.holdsAny('')).toBe(false);
  });
});
