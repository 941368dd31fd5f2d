import { Command, type CommandUnknownOpts } from '@rdc/cli';
import type { OpenContext } from '../command-line/command.js';
import { HttpSettings } from '../settings/http.settings.js';
import { advisoryLocks } from './advisory-locks.js';
import { awaitPostgres } from './await-postgres.js';
import { DatabaseSettings } from './database.settings.js';

/**
 * `migrate`: applies the missing migrations. Waits for Postgres as the service does at its start. A second process that
 * runs the command waits for the first one.
 */
export function migrateCommand(open: OpenContext): CommandUnknownOpts {
  return new Command('migrate').description('apply the missing migrations to the database').action(async () => {
    const { print, settings, withDataSource } = open();
    const seconds = settings.get(HttpSettings).START_TIMEOUT;
    await awaitPostgres(settings.get(DatabaseSettings), { seconds, logger: { info: print, warn: print } });
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
      applied.length === 0
        ? 'No migrations to apply: the database is up to date.'
        : `Applied migrations: ${applied.map(({ name }) => name).join(', ')}.`,
    );
  });
}
