import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { startServer } from '../../app/server.js';
import { FirstAdministrator } from './first-administrator.js';

const settings = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'correct horse battery staple' };

describe(FirstAdministrator.name, () => {
  let catalog: RunningCatalog;

  const startAgain = async (change: Readonly<Record<string, string>> = {}): Promise<void> => {
    const app = await startServer({ ...catalog.environment, ...settings, ...change });
    await app.close();
  };
  const administrators = (): Promise<unknown[]> =>
    catalog.dataSource.query(`SELECT email, roles, active FROM users ORDER BY id`);

  beforeEach(async () => {
    catalog = await startCatalog();
  });
  afterEach(() => catalog.stop());

  it('should be created once by replicas that start together, with an audit entry', async () => {
    await Promise.all([startAgain(), startAgain(), startAgain()]);
    expect(await administrators()).toEqual([{ email: settings.ADMIN_EMAIL, roles: ['admin'], active: true }]);
    const trail = await catalog.dataSource.query<{ actor: string; after: unknown }[]>(
      'SELECT actor, after FROM audit_entries',
    );
    expect(trail).toEqual([
      {
        actor: 'first-start',
        after: { id: expect.any(Number) as number, email: settings.ADMIN_EMAIL, roles: ['admin'] },
      },
    ]);
    expect(JSON.stringify(trail)).not.toContain('scrypt');
  });

  it('should not be created or changed by a later start', async () => {
    await startAgain();
    await catalog.dataSource.query(`UPDATE users SET roles = '{}', active = false`);
    const [before] = await catalog.dataSource.query<unknown[]>('SELECT * FROM users');
    await startAgain({ ADMIN_PASSWORD: 'another password, changed later' });
    await startAgain({ ADMIN_EMAIL: 'eve@example.org' });
    expect(await catalog.dataSource.query('SELECT * FROM users')).toEqual([before]);
  });

  it('should be the existing user with the address', async () => {
    await catalog.dataSource.query(`INSERT INTO users (email, roles) VALUES ('Ada@Example.org', '{legal}')`);
    await startAgain();
    expect(await administrators()).toEqual([{ email: 'Ada@Example.org', roles: ['legal', 'admin'], active: true }]);
  });

  it.each([
    [{ ADMIN_PASSWORD: 'too short' }, 'ADMIN_PASSWORD'],
    [{ ADMIN_PASSWORD: '' }, 'ADMIN_EMAIL and ADMIN_PASSWORD must be set together'],
    [{ ADMIN_EMAIL: 'nobody' }, 'ADMIN_EMAIL'],
  ])('should not be created from %j, and the password should not be logged', async (change, problem) => {
    const refusal = await startAgain(change).catch((error: unknown) => String(error));
    expect(refusal).toContain(problem);
    expect(refusal).not.toContain('too short');
  });
});
