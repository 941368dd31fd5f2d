import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aRequest } from '../../test/support/requests.js';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import { SharedRequests } from './shared-requests.js';
import { StoredRequestLog } from './stored-request-log.js';

const first = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'DS-1');
const second = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FB0', 'DS-1');

describe('a request that could not be queued', () => {
  let root: string;
  let records: PosixRecords;
  let log: StoredRequestLog;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'shared-'));
    records = new PosixRecords(root);
    log = new StoredRequestLog(records);
    await log.open(first);
  });

  afterEach(() => removeTree(root));

  it('should be removed and allow the next request when it is retracted', async () => {
    await log.revoke(first);
    expect(await log.find(first.id)).toBeNull();
    expect(await log.open(second)).toEqual({ request: second, isNew: true });
  });

  it('should stay open when another caller shares it', async () => {
    expect(await log.open(second)).toEqual({ request: first, isNew: false });
    await log.revoke(first);
    expect(await log.find(first.id)).toMatchObject({ request: first, ending: null });
    expect(await log.listOpen()).toEqual([first]);
  });

  it('should not be shared when its process was killed after the decision to retract it', async () => {
    await new SharedRequests(records).retract(first);
    expect(await log.open(second)).toEqual({ request: second, isNew: true });
    expect(await log.find(first.id)).toBeNull();
    expect(await records.names('.requests/shared')).toEqual([]);
  });

  it('should be shared by all callers or by none when it is retracted at the same time', async () => {
    const requests = Array.from({ length: 20 }, (_, at) => ({
      ...second,
      id: `01ARZ3NDEKTSV4RRFFQ69G5F${String(at + 10)}`,
    }));
    const [opened] = await Promise.all([Promise.all(requests.map((each) => log.open(each))), log.revoke(first)]);
    const [open] = await log.listOpen();
    expect(new Set(opened.map((each) => each?.request.id))).toEqual(new Set([open?.id]));
  });
});
