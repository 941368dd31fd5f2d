import type { Bucket } from '../../../src/s3/bucket.js';
import { makeBucket, s3Settings } from '../../support/s3.js';
import type { TestSystem } from '../../support/system.js';
import { systemFromBucket } from './from-bucket.js';

/** Creates a system whose source and storage are buckets of one store. */
export async function systemInOneStore(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly system: TestSystem; readonly bucket: Bucket }> {
  const { url, bucket } = await makeBucket();
  return { system: await systemFromBucket({ ...s3Settings('STORAGE', url), ...settings }), bucket };
}
