import { DependencyDownError } from '@rdc/errors';
import { Client, DatabaseError } from 'pg';
import { QueryFailedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { violatedConstraint, translatePostgresError } from './postgres-errors.js';

/** An error as `pg` throws it for a SQLSTATE. */
function sqlError(code: string): DatabaseError {
  return Object.assign(new DatabaseError('said by the server', 10, 'error'), { code });
}

function systemError(code: string, syscall?: string): Error {
  return Object.assign(new Error(code), { code, ...(syscall !== undefined && { syscall }) });
}

describe(translatePostgresError.name, () => {
  it.each<[string, unknown]>([
    ['a lost connection', sqlError('08006')],
    ['too many connections', sqlError('53300')],
    ['a server that shuts down', sqlError('57P01')],
    ['a server that starts', sqlError('57P03')],
    ['a refused connection', systemError('ECONNREFUSED', 'connect')],
    ['an unknown host', systemError('ENOTFOUND', 'getaddrinfo')],
    ['several refused addresses', new AggregateError([systemError('ECONNREFUSED', 'connect')])],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that ended between two statements', new QueryRunnerProviderAlreadyReleasedError()],
    ['any of them behind TypeORM', new QueryFailedError('SELECT 1', [], sqlError('57P01'))],
  ])('should say of %s that the database is down', (_, error) => {
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
  ])('should name the reason of %s', (state, reason, retryAfterSeconds) => {
    for (const error of [sqlError(state), new QueryFailedError('SELECT 1', [], sqlError(state))]) {
      expect(translatePostgresError(error)).toMatchObject({
        ...{ code: 'dependency.down', retryAfterSeconds },
        details: { dependency: 'database', reason },
      });
    }
  });

  it.each(['55P03', '40P01'])('should say of %s that other writes were in the way', (code) => {
    const translated = translatePostgresError(new QueryFailedError('SELECT 1', [], sqlError(code)));
    expect(translated).toMatchObject({
      code: 'dependency.down',
      retryAfterSeconds: 10,
      cause: expect.any(Error) as Error,
    });
  });

  it.each<[string, unknown]>([
    ['a statement that is wrong', sqlError('42601')],
    ['a constraint', sqlError('23505')],
    ['a statement that was cancelled', sqlError('57014')],
    ['a missing file of ours', systemError('ENOENT')],
    ['another error', new Error('said by nobody')],
    ['another error behind TypeORM', new QueryFailedError('SELECT 1', [], sqlError('22P02'))],
    ['text', 'Connection terminated'],
    ['nothing', undefined],
  ])('should leave %s as it is', (_, error) => {
    expect(translatePostgresError(error)).toBeUndefined();
  });

  describe('with a real server', () => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await createTestDatabase();
    });

    afterAll(() => database.drop());

    it('should know when the connection is ended in the middle, and which uniqueness was broken', async () => {
      const client = new Client({ connectionString: database.url });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('CREATE TABLE things (name text CONSTRAINT things_name_key UNIQUE)');
      const twice: unknown = await client
        .query(`INSERT INTO things VALUES ('a'), ('a')`)
        .catch((error: unknown) => error);
      expect([violatedConstraint(twice), translatePostgresError(twice)]).toEqual(['things_name_key', undefined]);
      const ended: unknown = await client
        .query('SELECT pg_terminate_backend(pg_backend_pid())')
        .catch((error: unknown) => error);
      expect(translatePostgresError(ended)).toBeInstanceOf(DependencyDownError);
    });
  });
});
