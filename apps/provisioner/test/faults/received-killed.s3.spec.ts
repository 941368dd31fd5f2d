import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { testAccess } from '../support/s3.js';
import { buildServices } from '../../../../test/support/service-process.ts';
import { FaultProxy, type Call } from './support/fault-proxy.js';
import { systemFromBucket } from './support/from-bucket.js';
import { inTurns } from './support/in-turns.js';
import { reuseAfterKill, type Reuse } from './support/killed.js';
import { RedisDatabases } from './support/redis-databases.js';

jest.setTimeout(180_000);

const smallFiles = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`DS-1/a/${String(index)}`, String(index)]),
);
/** A batch of small files, and two files that are separate batches, received in 9 and 40 pieces. */
const delivery = { ...smallFiles, 'DS-1/large': randomBytes(9 << 20), 'DS-1/larger': randomBytes(40 << 20) };
const all = Object.keys(delivery).length;

/** The failpoint, the setting VERIFY, and the minimum number of files that are finished at the failpoint. */
const table: readonly (readonly [string, 'inline' | 'readback', number])[] = [
  ['mid_file', 'inline', 0],
  ['mid_file:10', 'inline', 0],
  ['mid_file:60', 'inline', all - 1],
  ['mid_file', 'readback', 0],
  ['mid_file:60', 'readback', all - 1],
  ['before_read_back', 'readback', 0],
];

const isRead = ({ method, path, query }: Call): boolean =>
  method === 'GET' && query.includes('GetObject') && path.includes('/DS-1/');

describe('a killed worker with its source in a bucket and its storage in a folder', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<Reuse & { readonly reads: number }>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    runs = inTurns(table.map(String), 4, (key) => killedAt(...(key.split(',') as [string, string])));
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(table)(
    'killed at %s with VERIFY=%s should publish nothing and leave at least %i files to the next worker',
    async (...row) => {
      const reuse = await runs.get(String(row));
      expect(reuse).toMatchObject({ wasVisible: false });
      expect(reuse?.files).toBeGreaterThanOrEqual(row[2]);
      // Finished files were read once, and other files at most twice.
      expect(reuse?.reads).toBeLessThanOrEqual(2 * all - (reuse?.files ?? 0));
    },
  );

  async function killedAt(FAILPOINT: string, VERIFY: string): Promise<Reuse & { readonly reads: number }> {
    const proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    try {
      const system = await systemFromBucket({ ...databases.next(), SOURCE_S3_ENDPOINT: proxy.url, VERIFY });
      // The rate is so low that a complete file is recorded before the next piece of an incomplete one arrives.
      const reuse = await reuseAfterKill(system, null, delivery, { FAILPOINT, COPY_RATE_LIMIT: '20M' });
      return { ...reuse, reads: proxy.calls.filter(isRead).length };
    } finally {
      proxy.stop();
    }
  }
});
