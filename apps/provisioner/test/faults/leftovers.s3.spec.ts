import { Sweeper } from '../../src/import-runs/sweeper.js';
import type { Bucket } from '../../src/s3/bucket.js';
import { beginUpload, openUploads } from '../../src/s3/multipart.js';
import type { ProvisionerSettings } from '../../src/settings/provisioner.settings.js';
import { Layout } from '../../src/model/layout.js';
import { S3Claim } from '../../src/storage/s3/s3-claim.js';
import { S3Records } from '../../src/storage/s3/s3-records.js';
import { S3Storage } from '../../src/storage/s3/s3-storage.js';
import { StoredRequestLog } from '../../src/request-log/stored-request-log.js';
import { aRequest, anEnding } from '../support/requests.js';
import { makeBucket } from '../support/s3.js';
import { itSweeps } from './support/sweep.contract.js';

describe('leftovers in a bucket', () => {
  let bucket: Bucket;
  let storage: S3Storage;
  let records: S3Records;
  let log: StoredRequestLog;

  beforeEach(async () => {
    ({ bucket } = await makeBucket());
    storage = new S3Storage(bucket);
    records = new S3Records(bucket);
    log = new StoredRequestLog(records);
  });

  itSweeps(() => ({ storage, log, records }));

  it('should abort uploads without an import and remove the objects of probes', async () => {
    await beginUpload(bucket, 'data/raw/DS-9/large');
    await bucket.put('data/.staging/probe/1/create', Buffer.from('1'));
    const sweeper = new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings);
    expect(await sweeper.sweep()).toEqual([]);
    const removed = await sweeper.sweep(Date.now() + 2 * 60 * 60_000);
    expect([...removed].sort()).toEqual(['data/.staging/probe/1/create', 'the upload of data/raw/DS-9/large']);
    expect(await openUploads(bucket, '')).toEqual([]);
  });

  it('should keep the owner of a failed withdrawal, which a retry needs', async () => {
    const subject = { kind: 'dataset', id: 'DS-7' } as const;
    const request = { ...aRequest('01ARZ3NDEKTSV4RRFFQ69G5FAW', 'DS-7'), kind: 'withdraw' } as const;
    const claim = new S3Claim(bucket, new Layout(''), subject);
    await claim.acquireForWithdrawal(request.id, `${request.id}-1`, null);
    await log.end(anEnding(request, 'failed'));
    const sweeper = new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings);
    expect(await sweeper.sweep(Date.now() + 30 * 24 * 60 * 60_000)).toEqual([]);
    expect((await claim.read())?.owner.withdrawal).toBe(request.id);
    await claim.release(`${request.id}-1`);
  });

  it('should not abort an upload of an open withdrawal, whatever its age', async () => {
    const request = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'DS-8.1');
    await log.open({ ...request, kind: 'withdraw' });
    const key = `data/.withdrawn/raw/DS-8.1.${request.id}/large`;
    await beginUpload(bucket, key);
    const sweeper = new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings);
    expect(await sweeper.sweep(Date.now() + 2 * 60 * 60_000)).toEqual([]);
    await log.revoke({ ...request, kind: 'withdraw' });
    expect(await sweeper.sweep(Date.now() + 2 * 60 * 60_000)).toEqual([`the upload of ${key}`]);
  });
});
