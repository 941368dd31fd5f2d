import { buildServices } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';
import { outlivedAt } from './support/halted.js';
import { inTurns } from './support/in-turns.js';
import { RedisDatabases } from './support/redis-databases.js';

/** The failpoint at which the first worker is paused until another has its lock, and the source at that time. */
const table = [
  ['after_claim', 'the same'],
  ['before_journal', 'the same'],
  ['before_journal', 'another'],
  ['before_sync', 'another'],
  ['before_rename', 'the same'],
  ['before_rename', 'another'],
  ['amid_discard', 'the same'],
  ['before_done', 'the same'],
] as const;

describe('a worker that is paused until another worker has taken over its import', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<void>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    runs = inTurns(table.map(String), 4, async (row) => {
      const [failpoint = '', source] = row.split(',');
      await outlivedAt(
        await TestSystem.create(databases.next()),
        null,
        failpoint,
        source === 'another' ? source : 'the same',
      );
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
