import { untilBlocked } from '../../../test/until-blocked.js';
import { startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';
import { advisoryLocks } from '../../platform/database/advisory-locks.js';

describe('removing a record', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
  });

  afterAll(() => catalog.stop());

  it('should not deadlock when another transaction rebuilds the document of the record', async () => {
    const { body } = await catalog.send('POST', '/api/projects', { acronym: 'GOING' });
    const other = catalog.dataSource.createQueryRunner();
    await other.startTransaction();
    try {
      await other.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.rebuildDocuments]);
      const removed = catalog.send('DELETE', `/api/projects/${String(body['id_at_source'])}`);
      await untilBlocked(catalog);
      await other.query(`SET LOCAL lock_timeout = '500ms'`);
      await other.query('UPDATE project_documents SET source = source');
      await other.commitTransaction();
      expect((await removed).status).toBe(204);
    } finally {
      if (other.isTransactionActive) await other.rollbackTransaction();
      await other.release();
    }
  });

  it('should refuse the removal when an access is granted at the same time', async () => {
    const { body: dataset } = await catalog.send('POST', '/api/datasets', { name: 'Asked for' });
    const id = dataset['id_at_source'];
    const webhook = catalog.dataSource.createQueryRunner();
    await webhook.startTransaction();
    try {
      await webhook.query('SELECT FROM datasets WHERE id = $1 FOR KEY SHARE', [id]);
      await webhook.query(
        `INSERT INTO accesses (dataset_id, application, subject, status) VALUES ($1, 1, 'ada', 'active')`,
        [id],
      );
      const removed = catalog.send('DELETE', `/api/datasets/${String(id)}`);
      await untilBlocked(catalog);
      await webhook.commitTransaction();
      const { status, body } = await removed;
      expect([status, body['more']]).toMatchObject([400, { code: 'record.in_use', users: { accesses: 1 } }]);
      expect(await catalog.dataSource.query('SELECT subject FROM accesses')).toEqual([{ subject: 'ada' }]);
    } finally {
      if (webhook.isTransactionActive) await webhook.rollbackTransaction();
      await webhook.release();
    }
  });

  it('should not deadlock when a grant on the record is revoked at the same time', async () => {
    await catalog.dataSource.query(`INSERT INTO users (id, last_name) VALUES (7, 'Holder')`);
    const { body: project } = await catalog.send('POST', '/api/projects', { acronym: 'GRANTED' });
    const wanted = { user_id: 7, resource: 'projects', record_id: project['id_at_source'] };
    const { body: grant } = await catalog.send('POST', '/api/admin/grants', wanted);
    const removal = catalog.dataSource.createQueryRunner();
    await removal.startTransaction();
    try {
      await removal.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [wanted.record_id]);
      await removal.query('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.rebuildDocuments]);
      const taken = catalog.send('DELETE', `/api/admin/grants/${String(grant['id'])}`);
      await untilBlocked(catalog);
      await removal.query(`SET LOCAL lock_timeout = '500ms'`);
      await removal.query('DELETE FROM projects WHERE id = $1', [wanted.record_id]);
      await removal.commitTransaction();
      expect((await taken).status).toBe(404);
    } finally {
      if (removal.isTransactionActive) await removal.rollbackTransaction();
      await removal.release();
    }
  });
});
