import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { builtFile } from '../../../scripts/built-service.ts';
import { freePort } from '../../../scripts/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { testSettings } from '../../../test/support/test-logs.ts';

describe('the command migrate', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => database.drop());

  /** Returns the address of the database with another part. */
  const addressWith = (changes: Partial<Pick<URL, 'hostname' | 'port' | 'pathname'>>): URL =>
    Object.assign(new URL(database.url), changes);

  const start = (url: URL, settings: Record<string, string> = {}) => {
    const env = { ...process.env, ...testSettings({ DATABASE_URL: url.href, ...settings }) };
    const command = spawn(process.execPath, [builtFile('catalog-api/dist/cli.js'), 'migrate'], { env });
    const ended = Promise.all([once(command, 'exit'), text(command.stdout), text(command.stderr)]);
    return { command, result: ended.then(([[code], out, error]) => ({ code: code as number, out, error })) };
  };

  it('should wait and then apply the migrations when Postgres starts later', async () => {
    const { hostname, port } = new URL(database.url);
    const later = addressWith({ hostname: '127.0.0.1', port: String(await freePort()) });
    const { command, result } = start(later);
    await once(command.stdout, 'data');
    const forward = createServer((socket) => {
      const postgres = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      postgres.on('error', () => undefined);
      socket.pipe(postgres).pipe(socket);
    });
    forward.listen(Number(later.port), '127.0.0.1');
    try {
      const { code, out } = await result;
      expect(code).toBe(0);
      expect(out).toMatch(
        /^waiting for Postgres at DATABASE_URL: connect ECONNREFUSED .*\n.*works again.*\nApplied migrations: /,
      );
    } finally {
      forward.close();
    }
  });

  it('should change nothing when it runs again', async () => {
    const url = new URL(database.url);
    await start(url).result;
    expect(await start(url).result).toMatchObject({
      ...{ code: 0, out: 'No migrations to apply: the database is up to date.\n' },
    });
  });

  it('should fail without waiting when the database does not exist', async () => {
    const { code, out, error } = await start(addressWith({ pathname: '/missing' })).result;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toMatch(/^Postgres refuses the connection: database "missing" does not exist. Correct the .*\n$/);
  });

  it('should fail with the setting when Postgres does not start in time', async () => {
    const absent = addressWith({ hostname: '127.0.0.1', port: String(await freePort()) });
    const { code, error } = await start(absent, { START_TIMEOUT: '0' }).result;
    expect(code).toBe(1);
    expect(error).toMatch(/^Postgres at DATABASE_URL does not answer: connect ECONNREFUSED .*\n$/);
  });
});
