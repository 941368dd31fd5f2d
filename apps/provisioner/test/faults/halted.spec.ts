import { buildProcesses } from '../support/service-process.js';
import { TestSystem } from '../support/system.js';
import { outlivedAt } from './support/halted.js';
import { inTurns } from './support/in-turns.js';
import { RedisDatabases } from './support/redis-databases.js';

/** Where the first worker sleeps until its lock is another's, and what the source holds by then. */
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

describe('a worker that sleeps until another has taken its import', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<void>>;

  beforeAll(async () => {
    await buildProcesses();
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

  it.each(table)('at %s should, when it wakes, do no harm to what became of %s source', async (...row) => {
    await expect(runs.get(String(row))).resolves.toBeUndefined();
  });
});
