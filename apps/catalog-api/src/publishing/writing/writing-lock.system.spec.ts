import { startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';
import { acquireWritingLock } from './writing-lock.js';

describe(acquireWritingLock.name, () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
  });

  afterAll(() => catalog.stop());

  it('should let writes time out, and let readers continue, when another write holds the lock', async () => {
    const written = await catalog.dataSource.transaction(async (manager) => {
      await acquireWritingLock(manager);
      const waiting = catalog.send('POST', '/api/partners', { name: 'Waits' });
      expect((await catalog.read('/api/partners')).status).toBe(200);
      return waiting;
    });
    expect([written.status, written.headers.get('retry-after')]).toEqual([503, '10']);
    expect(written.body).toMatchObject({ more: { code: 'dependency.down', dependency: 'database' } });
    expect((await catalog.send('POST', '/api/partners', { name: 'Waits' })).status).toBe(201);
  });
});
