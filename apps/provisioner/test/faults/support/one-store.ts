import type { Bucket } from '../../../src/s3/bucket.js';
import { makeBucket, s3Settings } from '../../support/s3.js';
import { TestSystem } from '../../support/system.js';

/**
 * A system whose source and storage are buckets of one store. What is delivered is in its source folder too, where those
 * who compare look for it.
 */
export async function systemInOneStore(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly system: TestSystem; readonly bucket: Bucket }> {
  const [source, storage] = await Promise.all([makeBucket(), makeBucket()]);
  const places = { ...s3Settings('SOURCE', source.url), ...s3Settings('STORAGE', storage.url) };
  const system = await TestSystem.create({ ...places, ...settings });
  const deliver = system.deliver.bind(system);
  const redeliver = system.redeliver.bind(system);
  system.deliver = async (reference, files) => {
    await deliver(reference, files);
    for (const [path, bytes] of Object.entries(files)) {
      await source.bucket.put(`${reference}/${path}`, Buffer.from(bytes));
    }
  };
  system.redeliver = async (reference, files) => {
    await source.bucket.removeAll(`${reference}/`);
    await redeliver(reference, files);
  };
  return { system, bucket: storage.bucket };
}
