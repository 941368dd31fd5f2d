import { DependencyDownError } from '@rdc/errors';
import { Client, DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { violatedConstraint, translatePostgresError } from './postgres-errors.js';

/** Returns an error of `pg` with a SQLSTATE. */
function sqlError(code: string): DatabaseError {
  return Object.assign(new DatabaseError('message of the server', 10, 'error'), { code });
}

function systemError(code: string, syscall?: string): Error {
  return Object.assign(new Error(code), { code, ...(syscall !== undefined && { syscall }) });
}

describe(translatePostgresError.name, () => {
  it.each<[string, unknown]>([
    ['a lost connection', sqlError('08006')],
    ['too many connections', sqlError('53300')],
    ['a server that is shutting down', sqlError('57P01')],
    ['a server that is starting', sqlError('57P03')],
    ['a refused connection', systemError('ECONNREFUSED', 'connect')],
    ['an unknown host', systemError('ENOTFOUND', 'getaddrinfo')],
    ['several refused addresses', new AggregateError([systemError('ECONNREFUSED', 'connect')])],
    ['a terminated connection', new Error('Connection terminated unexpectedly')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that was lost between two statements', new QueryRunnerProviderAlreadyReleasedError()],
    ['an error of pg that TypeORM wraps', new QueryFailedError('SELECT 1', [], sqlError('57P01'))],
  ])('should report the database as down for %s', (_, error) => {
    const translated = translatePostgresError(error);
    expect(translated).toBeInstanceOf(DependencyDownError);
    expect(translated?.cause).toBe(error);
  });

  it.each([
    ['53100', 'disk_full', 30],
    ['25006', 'read_only', 30],
    ['58030', 'disk_failing', 30],
    ['57P03', 'starting', 5],
    ['08006', 'silent', 5],
  ])('should report the reason of SQLSTATE %s as %s', (state, reason, retryAfterSeconds) => {
    for (const error of [sqlError(state), new QueryFailedError('SELECT 1', [], sqlError(state))]) {
      expect(translatePostgresError(error)).toMatchObject({
        ...{ code: 'dependency.down', retryAfterSeconds },
        details: { dependency: 'database', reason },
      });
    }
  });

  it.each(['55P03', '40P01'])('should request a retry when a concurrent write causes SQLSTATE %s', (code) => {
    const translated = translatePostgresError(new QueryFailedError('SELECT 1', [], sqlError(code)));
    expect(translated).toMatchObject({
      code: 'dependency.down',
      retryAfterSeconds: 10,
      cause: expect.any(Error) as Error,
    });
  });

  it.each<[string, unknown]>([
    ['a syntax error', sqlError('42601')],
    ['a violated constraint', sqlError('23505')],
    ['a cancelled statement', sqlError('57014')],
    ['a missing local file', systemError('ENOENT')],
    ['another error', new Error('anything else')],
    ['another error that TypeORM wraps', new QueryFailedError('SELECT 1', [], sqlError('22P02'))],
    ['a text', 'Connection terminated'],
    ['undefined', undefined],
  ])('should return undefined for %s', (_, error) => {
    expect(translatePostgresError(error)).toBeUndefined();
  });

  describe('with a running server', () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createTestDatabase();
    });

    afterAll(() => database.drop());

    async function connect(): Promise<Client> {
      const client = new Client({ connectionString: database.url });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    }

    it('should name the violated constraint when a write breaks a unique constraint', async () => {
      const client = await connect();
      await client.query('CREATE TABLE things (name text CONSTRAINT things_name_key UNIQUE)');
      const twice: unknown = await client
        .query(`INSERT INTO things VALUES ('a'), ('a')`)
        .catch((error: unknown) => error);
      await client.end();
      expect([violatedConstraint(twice), translatePostgresError(twice)]).toEqual(['things_name_key', undefined]);
    });

    it('should report the database as down when the server terminates the connection', async () => {
      const client = await connect();
      const ended: unknown = await client
        .query('SELECT pg_terminate_backend(pg_backend_pid())')
        .catch((error: unknown) => error);
      expect(translatePostgresError(ended)).toBeInstanceOf(DependencyDownError);
    });
  });
});
