import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportRequest } from '../model/import-record.js';
import { thisAgent } from '../process/software-agent.js';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import { SharedRequests } from './shared-requests.js';
import { StoredRequestLog } from './stored-request-log.js';

const first: ImportRequest = {
  id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  kind: 'dataset',
  subject: 'DS-1',
  attempt: 1,
  requested_by: 'test',
  requested_at: '2026-01-01T00:00:00.000Z',
  requested_from: '127.0.0.1',
  accepted_by: thisAgent,
};
const second: ImportRequest = { ...first, id: '01ARZ3NDEKTSV4RRFFQ69G5FB0' };

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

  it('should be gone once it is withdrawn, and make room for the next', async () => {
    await log.revoke(first);
    expect(await log.find(first.id)).toBeNull();
    expect(await log.open(second)).toEqual({ request: second, isNew: true });
  });

  it('should stay open when another caller was given it', async () => {
    expect(await log.open(second)).toEqual({ request: first, isNew: false });
    await log.revoke(first);
    expect(await log.find(first.id)).toMatchObject({ request: first, ending: null });
    expect(await log.listOpen()).toEqual([first]);
  });

  it('should be given to nobody once it is being withdrawn, though who did it was killed', async () => {
    await new SharedRequests(records).retract(first);
    expect(await log.open(second)).toEqual({ request: second, isNew: true });
    expect(await log.find(first.id)).toBeNull();
    expect(await records.names('.requests/shared')).toEqual([]);
  });

  it('should be given to whoever asks while it is withdrawn again and again, or not at all', async () => {
    const asked = Array.from({ length: 20 }, (_, at) => ({
      ...second,
      id: `01ARZ3NDEKTSV4RRFFQ69G5F${String(at + 10)}`,
    }));
    const [opened] = await Promise.all([Promise.all(asked.map((each) => log.open(each))), log.revoke(first)]);
    const [open] = await log.listOpen();
    expect(new Set(opened.map((each) => each?.request.id))).toEqual(new Set([open?.id]));
  });
});
