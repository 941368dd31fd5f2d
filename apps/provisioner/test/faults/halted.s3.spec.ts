import { jest } from '@jest/globals';
import { makeBucket, s3Settings } from '../support/s3.js';
import { buildServices } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { outlivedAt } from './support/halted.js';
import { inTurns } from './support/in-turns.js';
import { RedisDatabases } from './support/redis-databases.js';

jest.setTimeout(180_000);

/** The failpoint at which the first worker is paused until another has its lock, and the source at that time. */
const table = [
  ['after_claim', 'the same'],
  ['before_complete', 'the same'],
  ['before_complete', 'another'],
  ['before_journal', 'another'],
  ['before_decision', 'the same'],
  ['before_decision', 'another'],
  ['before_commit', 'the same'],
  ['after_commit', 'the same'],
  ['amid_discard', 'the same'],
  ['before_done', 'the same'],
] as const;

describe('a worker that is paused until another worker has taken over its import into a bucket', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<void>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    runs = inTurns(table.map(String), 5, async (row) => {
      const [failpoint = '', source] = row.split(',');
      const { url, bucket } = await makeBucket();
      const system = await TestSystem.create({ ...databases.next(), ...s3Settings('STORAGE', url) });
      await outlivedAt(system, bucket, failpoint, source === 'another' ? source : 'the same');
    });
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(table)(
    'should change nothing when the worker continues after a pause at %s and %s source is imported',
    async (...row) => {
      await expect(runs.get(String(row))).resolves.toBeUndefined();
    },
  );
});
