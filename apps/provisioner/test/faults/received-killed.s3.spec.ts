import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { testAccess } from '../support/s3.js';
import { buildProcesses } from '../support/service-process.js';
import { FaultProxy, type Call } from './support/fault-proxy.js';
import { systemFromBucket } from './support/from-bucket.js';
import { inTurns } from './support/in-turns.js';
import { keptAfterKill, type Kept } from './support/killed.js';
import { RedisDatabases } from './support/redis-databases.js';

jest.setTimeout(180_000);

const smallFiles = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`DS-1/a/${String(at)}`, String(at)]));
/** A batch of small files, and two files that are batches of their own: 18 and 80 pieces as they are received. */
const delivery = { ...smallFiles, 'DS-1/large': randomBytes(9 << 20), 'DS-1/larger': randomBytes(40 << 20) };
const all = Object.keys(delivery).length;

/** Where the worker is killed, how it checks, and how many files are finished by then at least. */
const table: readonly (readonly [string, 'inline' | 'readback', number])[] = [
  ['mid_file', 'inline', 0],
  ['mid_file:10', 'inline', 0],
  ['mid_file:108', 'inline', all - 1],
  ['mid_file', 'readback', 0],
  ['mid_file:108', 'readback', all - 1],
  ['before_read_back', 'readback', 0],
];

const isRead = ({ method, path, query }: Call): boolean =>
  method === 'GET' && query.includes('GetObject') && path.includes('/DS-1/');

describe('a worker that is killed, with its source in a bucket and its storage in a folder,', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<Kept & { readonly reads: number }>>;

  beforeAll(async () => {
    await buildProcesses();
    databases = await RedisDatabases.start();
    runs = inTurns(table.map(String), 4, (key) => killedAt(...(key.split(',') as [string, string])));
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(table)(
    'at %s with VERIFY=%s should show nothing, and be succeeded with the %i files or more',
    async (...row) => {
      const kept = await runs.get(String(row));
      expect(kept).toMatchObject({ wasVisible: false });
      expect(kept?.files).toBeGreaterThanOrEqual(row[2]);
      // What was finished was read once, whatever else twice at most.
      expect(kept?.reads).toBeLessThanOrEqual(2 * all - (kept?.files ?? 0));
    },
  );

  async function killedAt(FAILPOINT: string, VERIFY: string): Promise<Kept & { readonly reads: number }> {
    const proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    try {
      const system = await systemFromBucket({ ...databases.next(), SOURCE_S3_ENDPOINT: proxy.url, VERIFY });
      // So slow that what is whole is noted long before the next piece of what is not.
      const kept = await keptAfterKill(system, null, delivery, { FAILPOINT, COPY_RATE_LIMIT: '20M' });
      return { ...kept, reads: proxy.calls.filter(isRead).length };
    } finally {
      proxy.stop();
    }
  }
});
