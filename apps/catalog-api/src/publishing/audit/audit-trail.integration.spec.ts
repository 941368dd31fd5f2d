import { createTestStore, type TestStore } from '../../../test/store.js';
import { actorOf, AuditTrail } from './audit-trail.js';

describe(AuditTrail.name, () => {
  let store: TestStore;
  const trail = new AuditTrail();

  beforeAll(async () => {
    store = await createTestStore();
  });

  afterAll(() => store.drop());

  const entries = (): Promise<unknown[]> =>
    store.dataSource.query('SELECT actor, action, resource, record_id, before, after FROM audit_entries ORDER BY id');

  it('should record any number of writes, and none when the transaction fails', async () => {
    await trail.record(store.dataSource.manager);
    await trail.record(
      store.dataSource.manager,
      { actor: 'global', action: 'create', resource: 'users', recordId: 7, after: { name: `O'Brien {"x"}` } },
      { actor: 'user:7', action: 'remove', resource: 'users', recordId: '7', before: { roles: ['admin'] } },
    );
    const failing = store.dataSource.transaction(async (manager) => {
      await trail.record(manager, { actor: 'global', action: 'create', resource: 'users', recordId: 8 });
      throw new Error('too bad');
    });
    await expect(failing).rejects.toThrow('too bad');
    expect(await entries()).toEqual([
      {
        actor: 'global',
        action: 'create',
        resource: 'users',
        record_id: '7',
        before: null,
        after: { name: `O'Brien {"x"}` },
      },
      {
        actor: 'user:7',
        action: 'remove',
        resource: 'users',
        record_id: '7',
        before: { roles: ['admin'] },
        after: null,
      },
    ]);
  });

  it('should return the actor of every kind of caller', () => {
    expect(actorOf({ kind: 'global' })).toBe('global');
    expect(actorOf({ kind: 'user', userId: '7', subject: null, roles: [] })).toBe('user:7');
    expect(actorOf({ kind: 'session', userId: '7', subject: null, roles: [], sessionId: 's' })).toBe('user:7');
    expect(actorOf({ kind: 'endpoint', endpointId: '3' })).toBe('endpoint:3');
  });
});
