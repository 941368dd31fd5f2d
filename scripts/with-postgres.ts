import { spawn } from 'node:child_process';
import { once } from 'node:events';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';

/**
 * Runs a command with a new, empty Postgres, whose URL is in `DATABASE_URL`. Postgres stops when the command ends.
 *
 *     npx node scripts/with-postgres.ts <command> [<argument> ...]
 */
const [command, ...words] = process.argv.slice(2);
if (command === undefined) {
  process.stderr.write('usage: npx node scripts/with-postgres.ts <command> [<argument> ...]\n');
  process.exit(2);
}
await startPostgres();
try {
  const env = { ...process.env, DATABASE_URL: process.env['TEST_POSTGRES_URL'] };
  const [code] = (await once(spawn(command, words, { stdio: 'inherit', env }), 'exit')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await stopPostgres();
}
