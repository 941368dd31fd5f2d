import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aRequest, anEnding } from '../../test/support/requests.js';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import { StoredRequestLog } from './stored-request-log.js';

/** Records of a process that does something else before its next removal. */
class HaltedRecords extends PosixRecords {
  private meanwhile: (() => Promise<unknown>) | null = null;

  haltNextRemoval(meanwhile: () => Promise<unknown>): void {
    this.meanwhile = meanwhile;
  }

  override async removeIf(path: string, isMeant: (text: string) => boolean): Promise<void> {
    const meanwhile = this.meanwhile;
    this.meanwhile = null;
    await meanwhile?.();
    await super.removeIf(path, isMeant);
  }
}

describe('a request whose ending is there before it is closed', () => {
  const first = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'DS-1');
  const next = { ...first, attempt: 2 };
  const other = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FB0', 'DS-1');
  const killed = new Error('killed');
  let root: string;
  let records: HaltedRecords;
  let log: StoredRequestLog;
  let others: StoredRequestLog;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'closed-'));
    records = new HaltedRecords(root);
    log = new StoredRequestLog(records);
    others = new StoredRequestLog(new PosixRecords(root));
    await log.open(first);
  });

  afterEach(() => removeTree(root));

  async function dieBeforeClosing(): Promise<void> {
    records.haltNextRemoval(() => Promise.reject(killed));
    await expect(log.end(anEnding(first, 'failed'))).rejects.toBe(killed);
  }

  it.each([
    ['its retry', next],
    ['another import', other],
  ])('should make way for %s', async (_, wanted) => {
    await dieBeforeClosing();
    expect(await others.open(wanted)).toEqual({ request: wanted, isNew: true });
    expect(await others.listOpen()).toEqual([wanted]);
  });

  it('should be open to nobody', async () => {
    await dieBeforeClosing();
    expect(await others.findOpen('dataset', 'DS-1')).toBeNull();
    expect(await others.open({ ...other, subject: 'ds-1' })).toMatchObject({ isNew: true });
  });

  it.each([
    ['its retry', next],
    ['another import', other],
  ])('should not take %s along when whoever closes it was halted meanwhile', async (_, wanted) => {
    records.haltNextRemoval(() => others.open(wanted));
    await log.end(anEnding(first, 'failed'));
    expect(await others.findOpen('dataset', 'DS-1')).toEqual(wanted);
    expect(await others.find(wanted.id)).toMatchObject({ request: wanted, ending: null });
    expect(await records.names('.requests/open/dataset')).toEqual(['ds-1.json']);
  });
});
