import { wordsOf } from '@rdc/cli';
import type { Command } from '../command-line/command.js';
import { advisoryLocks } from './advisory-locks.js';

/** `migrate`: brings the schema up to this version. Harmless when it is; two at once wait for each other. */
export const migrateCommand: Command = {
  usage: 'migrate',
  summary: 'bring the database up to this version',
  async run(args, { print, withDataSource }) {
    wordsOf(args, 0);
    const applied = await withDataSource(async (dataSource) => {
      const lock = dataSource.createQueryRunner();
      await lock.query('SELECT pg_advisory_lock($1)', [advisoryLocks.migrate]);
      try {
        return await dataSource.runMigrations();
      } finally {
        await lock.query('SELECT pg_advisory_unlock($1)', [advisoryLocks.migrate]);
        await lock.release();
      }
    });
    print(
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.map(({ name }) => name).join(', ')}.`,
    );
  },
};
