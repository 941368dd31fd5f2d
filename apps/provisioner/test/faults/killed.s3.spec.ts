import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { makeBucket, s3Settings } from '../support/s3.js';
import { buildServices } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { inTurns } from './support/in-turns.js';
import { reuseAfterKill, type Reuse } from './support/killed.js';
import { RedisDatabases } from './support/redis-databases.js';

jest.setTimeout(180_000);

const smallFiles = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`DS-1/a/${String(index)}`, String(index)]),
);
const partBytes = 8 << 20;
/** A large file of five parts. */
const delivery = { ...smallFiles, 'DS-1/large': randomBytes(4 * partBytes + 1) };
const all = Object.keys(delivery).length;

/** The failpoint, and the minimum number of files finished there. Finished files must not be sent again. */
const table: readonly (readonly [string, number])[] = [
  ['after_claim', 0],
  ['mid_file:25', 0],
  ['after_part', 0],
  ['before_complete', 0],
  ['before_journal', 0],
  ['after_journal', 1],
  ['before_decision', all],
  ['before_commit', all],
  ['after_commit', all],
  ['amid_discard', all],
  ['before_done', all],
  ['after_done', all],
];

describe('a killed worker with its storage in a bucket', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<Reuse>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    runs = inTurns(
      table.map(([failpoint]) => failpoint),
      4,
      killedAt,
    );
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(table)(
    'should leave its files to the next worker when a worker is killed at %s, at least %i files',
    async (failpoint, least) => {
      expect((await runs.get(failpoint))?.files).toBeGreaterThanOrEqual(least);
    },
  );

  it('should leave a sent part of a large file to the next worker, which counts the part as resumed', async () => {
    expect((await runs.get('after_part'))?.bytesResumed).toBeGreaterThanOrEqual(partBytes);
  });

  async function killedAt(failpoint: string): Promise<Reuse> {
    const { url, bucket } = await makeBucket();
    const system = await TestSystem.create({ ...databases.next(), ...s3Settings('STORAGE', url) });
    return reuseAfterKill(system, bucket, delivery, { FAILPOINT: failpoint });
  }
});
