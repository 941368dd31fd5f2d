import { setTimeout as pause } from 'node:timers/promises';
import { startWritableCatalog, type WritableCatalog } from '../../test/writing.js';
import { advisoryLocks } from '../database/advisory-locks.js';

const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('removing a record', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
  });

  afterAll(() => catalog.stop());

  it('should wait for whoever makes its document anew, who does not wait for it', async () => {
    await catalog.send('POST', '/api/projects', { acronym: 'GOING' });
    const other = catalog.dataSource.createQueryRunner();
    await other.startTransaction();
    try {
      await other.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.rebuildDocuments]);
      const removed = catalog.send('DELETE', '/api/projects/1');
      while (((await other.query(waiting)) as unknown[]).length === 0) await pause(20);
      await other.query(`SET LOCAL lock_timeout = '500ms'`);
      await other.query('UPDATE project_documents SET changed_at = now()');
      await other.commitTransaction();
      expect((await removed).status).toBe(204);
    } finally {
      if (other.isTransactionActive) await other.rollbackTransaction();
      await other.release();
    }
  });
});
