import { makeBucket, s3Settings } from '../../support/s3.js';
import { TestSystem } from '../../support/system.js';

/**
 * Creates a system whose source is a bucket. Its storage is a folder unless the settings name a bucket. Deliveries are
 * also written to the source folder, for comparisons.
 */
export async function systemFromBucket(settings: Readonly<Record<string, string>> = {}): Promise<TestSystem> {
  const { url, bucket } = await makeBucket();
  const system = await TestSystem.create({ ...s3Settings('SOURCE', url), ...settings });
  const deliver = system.deliver.bind(system);
  const redeliver = system.redeliver.bind(system);
  system.deliver = async (reference, files) => {
    await deliver(reference, files);
    for (const [path, bytes] of Object.entries(files)) await bucket.put(`${reference}/${path}`, Buffer.from(bytes));
  };
  system.redeliver = async (reference, files) => {
    await bucket.removeAll(`${reference}/`);
    await redeliver(reference, files);
  };
  return system;
}
