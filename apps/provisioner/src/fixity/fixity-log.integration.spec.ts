import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import { dayOf, FixityLog } from './fixity-log.js';

const dayMs = 86_400_000;

describe(FixityLog.name, () => {
  let root: string;
  let log: FixityLog;
  let listed: string[];
  const ago = (days: number): Date => new Date(Date.now() - days * dayMs);

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fixity-log-'));
    listed = [];
    const records = new PosixRecords(root);
    const names = records.names.bind(records);
    records.names = (folder) => {
      listed.push(folder.split('/').at(-1) ?? '');
      return names(folder);
    };
    log = new FixityLog(records);
  });

  afterEach(() => removeTree(root));

  it('should list past days once and list the current day again', async () => {
    await log.recordCheck('DS-1', ago(9));
    await log.recordCheck('DS-2', ago(9));
    await log.recordCheck('DS-1', ago(0));
    expect(Object.fromEntries(await log.lastChecks())).toEqual({ 'DS-1': dayOf(ago(0)), 'DS-2': dayOf(ago(9)) });
    await log.recordCheck('DS-2', ago(0));
    listed = [];
    expect(Object.fromEntries(await log.lastChecks())).toEqual({ 'DS-1': dayOf(ago(0)), 'DS-2': dayOf(ago(0)) });
    expect(listed).toEqual(['checked', dayOf(ago(0))]);
  });

  it('should remove the records of the days before a day', async () => {
    await log.recordCheck('DS-1', ago(9));
    await log.recordCheck('DS-2', ago(5));
    await log.lastChecks();
    await log.removeBefore(dayOf(ago(7)));
    expect(Object.fromEntries(await log.lastChecks())).toEqual({ 'DS-2': dayOf(ago(5)) });
  });
});
