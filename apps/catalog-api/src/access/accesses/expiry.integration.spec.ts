import { addDatasets } from '../../../test/access-requests.js';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { ExpirySweep } from './expiry.sweep.js';

describe('ExpirySweep', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    await addDatasets(catalog);
  });

  beforeEach(async () => {
    await catalog.dataSource.query('DELETE FROM accesses');
    await catalog.dataSource.query(
      `INSERT INTO accesses (dataset_id, application, subject, status, expires_at) VALUES
         (1, 1, 'over', 'active', now() - interval '1 second'), (1, 1, 'held', 'suspended', now() - interval '1 day'),
         (1, 1, 'waits', 'precreated', now() - interval '1 day'), (1, 1, 'lasts', 'active', now() + interval '1 day'),
         (1, 1, 'ever', 'active', NULL), (1, 1, 'ended', 'terminated', now() - interval '1 day')`,
    );
  });

  afterAll(() => catalog.stop());

  it('should terminate an expired access once when two replicas run at the same time', async () => {
    const sweep = catalog.app.get(ExpirySweep);
    await Promise.all([sweep.sweep(), sweep.sweep()]);
    await sweep.sweep();
    expect(await catalog.dataSource.query('SELECT subject, status FROM accesses ORDER BY id')).toEqual([
      { subject: 'over', status: 'terminated' },
      { subject: 'held', status: 'terminated' },
      { subject: 'waits', status: 'terminated' },
      { subject: 'lasts', status: 'active' },
      { subject: 'ever', status: 'active' },
      { subject: 'ended', status: 'terminated' },
    ]);
  });

  it('should record each end in the audit trail', async () => {
    await catalog.app.get(ExpirySweep).sweep();
    const entries = await catalog.dataSource.query<unknown[]>(
      `SELECT subject, actor, action, before->>'status' AS before, after->>'status' AS after
         FROM audit_entries JOIN accesses ON accesses.id::text = record_id AND resource = 'accesses' ORDER BY subject`,
    );
    const end = { actor: 'access-expiry', action: 'expired', after: 'terminated' };
    expect(entries).toEqual([
      { ...end, subject: 'held', before: 'suspended' },
      { ...end, subject: 'over', before: 'active' },
      { ...end, subject: 'waits', before: 'precreated' },
    ]);
  });

  it('should terminate more accesses than one batch, each with an audit entry', async () => {
    await catalog.dataSource.query(
      `INSERT INTO accesses (dataset_id, application, subject, status, expires_at)
       SELECT 1, 2, 'many' || n, 'active', now() - interval '1 day' FROM generate_series(1, 2001) AS n`,
    );
    await catalog.app.get(ExpirySweep).sweep();
    const [ended] = await catalog.dataSource.query<unknown[]>(
      `SELECT count(*)::integer AS accesses, count(DISTINCT record_id)::integer AS entries
         FROM accesses LEFT JOIN audit_entries ON accesses.id::text = record_id AND resource = 'accesses'
        WHERE application = 2 AND status = 'terminated'`,
    );
    expect(ended).toEqual({ accesses: 2_001, entries: 2_001 });
  });
});
