import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aRequest, anEnding } from '../../test/support/requests.js';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import { StoredRequestLog } from './stored-request-log.js';

/** Records whose next removal starts only after an action, as if the process were suspended. */
class SuspendedRecords extends PosixRecords {
  private action: (() => Promise<unknown>) | null = null;

  beforeNextRemoval(action: () => Promise<unknown>): void {
    this.action = action;
  }

  override async removeIf(path: string, isCurrent: (text: string) => boolean): Promise<void> {
    const { action } = this;
    this.action = null;
    await action?.();
    await super.removeIf(path, isCurrent);
  }
}

describe('a request that ended but was not closed', () => {
  const first = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'DS-1');
  const next = { ...first, attempt: 2 };
  const other = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FB0', 'DS-1');
  const killed = new Error('killed');
  let root: string;
  let records: SuspendedRecords;
  let log: StoredRequestLog;
  let others: StoredRequestLog;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'closed-'));
    records = new SuspendedRecords(root);
    log = new StoredRequestLog(records);
    others = new StoredRequestLog(new PosixRecords(root));
    await log.open(first);
  });

  afterEach(() => removeTree(root));

  async function endWithoutClosing(): Promise<void> {
    records.beforeNextRemoval(() => Promise.reject(killed));
    await expect(log.end(anEnding(first, 'failed'))).rejects.toBe(killed);
  }

  it.each([
    ['its retry', next],
    ['another import', other],
  ])('should be replaced by %s', async (_, opened) => {
    await endWithoutClosing();
    expect(await others.open(opened)).toEqual({ request: opened, isNew: true });
    expect(await others.listOpen()).toEqual([opened]);
  });

  it('should not be found as the open request of its subject', async () => {
    await endWithoutClosing();
    expect(await others.findOpen('dataset', 'DS-1')).toBeNull();
    expect(await others.open(aRequest(other.id, 'ds-1'))).toMatchObject({ isNew: true });
  });

  it.each([
    ['its retry', next],
    ['another import', other],
  ])('should not close %s when the closing process was suspended', async (_, opened) => {
    records.beforeNextRemoval(() => others.open(opened));
    await log.end(anEnding(first, 'failed'));
    expect(await others.findOpen('dataset', 'DS-1')).toEqual(opened);
    expect(await others.find(opened.id)).toMatchObject({ request: opened, ending: null });
    expect(await records.names('.requests/open/dataset')).toEqual(['ds-1.json']);
  });
});
