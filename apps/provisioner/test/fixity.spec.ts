import { jest } from '@jest/globals';
import { chmod, mkdir, readdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOf } from '../src/fixity/fixity-log.js';
import { FixityRound } from '../src/schedule/fixity-round.js';
import type { ScheduleResponse } from '../src/schedule/schedule.dto.js';
import { digest } from './support/delivery.js';
import { onEachQueue } from './support/queues.js';
import { TestSystem } from './support/system.js';
import { until } from '../../../test/support/until.ts';

jest.setTimeout(120_000);

const dayMs = 86_400_000;

describe('a verification', () => {
  let system: TestSystem;
  let published: string;

  beforeEach(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', {
      ...{ 'DS-1/same': '1', 'DS-1/sub/flipped': 'abc', 'DS-1/sub/gone': '1', 'DS-1/short': '12', 'DS-1/open': '1' },
      ...{ 'DS-1/linked': '1', 'DS-1/odd\nname': '1', 'DS-2/a': '1' },
    });
    await system.startServer();
    await system.startWorker();
    for (const dataset_id of ['DS-1', 'DS-2']) {
      await system.post('/datasets/srcsys/import?wait=20', { dataset_id });
    }
    published = join(system.storage, 'data/raw/DS-1');
  });

  afterEach(() => system.stop());

  const verify = async (dataset: string) => {
    const { id } = (await system.post(`/datasets/srcsys/${dataset}/verify`)).body;
    const { state, error } = await system.ended(id);
    return { state, code: error?.code, files: (await system.get(`/imports/${id}/files?state=failed`)).body.items };
  };

  /** Changes the published folder, which is read-only otherwise. */
  async function tamper(): Promise<void> {
    for (const folder of [published, join(published, 'sub')]) await chmod(folder, 0o750);
    for (const file of ['sub/flipped', 'short', 'open']) await chmod(join(published, file), 0o640);
    await writeFile(join(published, 'sub/flipped'), 'abd');
    await writeFile(join(published, 'short'), '1');
    await unlink(join(published, 'sub/gone'));
    await unlink(join(published, 'linked'));
    await symlink('same', join(published, 'linked'));
    await writeFile(join(published, 'sub/extra'), '1');
    await mkdir(join(published, 'empty'));
    for (const file of ['sub/flipped', 'short']) await chmod(join(published, file), 0o440);
    await chmod(published, 0o550);
  }

  it('should finish without differences when nothing was changed', async () => {
    expect(await verify('DS-1')).toEqual({ state: 'finished', code: undefined, files: [] });
  });

  it('should report every missing, extra and changed file and folder without changing any', async () => {
    await tamper();
    const report = await verify('DS-1');
    expect(report.files.map(({ path, code }) => [path, code])).toEqual([
      ['empty', 'file.unlisted'],
      ['linked', 'file.special'],
      ['open', 'mode.changed'],
      ['short', 'size.mismatch'],
      ['sub', 'mode.changed'],
      ['sub/extra', 'file.unlisted'],
      ['sub/flipped', 'checksum.mismatch'],
      ['sub/gone', 'file.missing'],
    ]);
    expect(report.state).toBe('failed');
    expect(await readFile(join(published, 'sub/flipped'), 'utf8')).toBe('abd');
    expect(await verify('DS-1')).toEqual(report);
    const { fixity } = JSON.parse((await system.get('/imports/schedule')).text) as ScheduleResponse;
    expect(fixity).toMatchObject({ days: null, datasets: 2, differing: [{ dataset_id: 'DS-1' }] });
  });

  it('should report a changed list when the list was changed together with a file', async () => {
    const folder = join(system.storage, 'data/raw/DS-2');
    const list = join(folder, '.import/files.ndjson');
    for (const path of [join(folder, 'a'), list]) await chmod(path, 0o640);
    await writeFile(join(folder, 'a'), '2');
    await writeFile(list, (await readFile(list, 'utf8')).replace(digest('sha256', '1'), digest('sha256', '2')));
    await chmod(join(folder, 'a'), 0o440);
    expect(await verify('DS-2')).toMatchObject({ code: 'list.changed', files: [{ path: '.import/files.ndjson' }] });
  });

  it('should record the dataset as verified when the verification fails', async () => {
    await system.deliver('SUB-1', { 'DS-3/a': '1' });
    await system.post('/datasets/srcsys/import?wait=20', { dataset_id: 'DS-3' });
    const records = join(system.storage, 'data/raw/DS-3/.import');
    await chmod(records, 0o750);
    await unlink(join(records, 'files.ndjson'));
    await mkdir(join(records, 'files.ndjson'));
    expect(await verify('DS-3')).toMatchObject({ state: 'failed', files: [] });
    const recorded = await readdir(join(system.storage, 'data/.requests/fixity/checked', dayOf(new Date())));
    expect(recorded).toContain('DS-3');
  });

  it('should fail with not_imported when the dataset was withdrawn after the request', async () => {
    await system.stopWorkers();
    const requested = await system.post('/datasets/srcsys/DS-2/verify');
    const published = join(system.storage, 'data/raw/DS-2');
    await chmod(published, 0o750); // a folder must be writable to be moved
    await rename(published, join(system.storage, 'aside'));
    await system.startWorker();
    const ended = (await system.ended(requested.body.id)) as unknown as { error: { code: string } };
    expect(ended).toMatchObject({ state: 'failed', error: { code: 'not_imported' } });
  });
});

onEachQueue('FIXITY_DAYS with its queue', (queue) => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create({
      ...queue.settings,
      FIXITY_DAYS: '10',
      FIXITY_RATE_LIMIT: '1G',
    });
    await system.startServer();
    await system.startWorker();
    for (let index = 0; index < 10; index++) {
      await system.deliver('SUB-1', { [`DS-${String(index)}/a`]: Buffer.alloc(100_000) });
      await system.post('/datasets/srcsys/import?wait=20', { dataset_id: `DS-${String(index)}` });
    }
  });

  afterAll(() => system.stop());

  const verified = async (): Promise<string[]> =>
    (await system.get('/imports?kind=verify&state=finished')).body.items.map(({ subject }) => subject);

  /** Moves the verifications of one day to another day. */
  async function moveChecks(from: Date, to: Date): Promise<void> {
    const folder = (day: Date): string => join(system.storage, 'data/.requests/fixity/checked', dayOf(day));
    if ((await readdir(folder(from)).catch(() => [])).length > 0) await rename(folder(from), folder(to));
  }

  it('should verify a share of the datasets each day and all within FIXITY_DAYS across restarts', async () => {
    const start = Date.now();
    const verifiedByDay: string[][] = [];
    for (let day = 1; day <= 10; day++) {
      // Two workers run in the same hour and are then restarted. No dataset is requested twice.
      const workers = [await system.startWorker(), await system.startWorker()];
      for (const worker of workers) await worker.get(FixityRound, { strict: false }).run(new Date(start + day * dayMs));
      await until(async () => (await system.get('/imports?state=queued')).body.items.length === 0);
      await until(async () => (await system.get('/imports?state=running')).body.items.length === 0);
      await moveChecks(new Date(start), new Date(start + day * dayMs));
      verifiedByDay.push(await verified());
      await system.stopWorkers();
    }
    const counts = verifiedByDay.map((ids) => ids.length);
    expect(new Set(verifiedByDay.at(-1)).size).toBe(10);
    // The period contains ten datasets. The schedule has headroom, so it may reach two datasets of the next period.
    expect(counts.at(-1)).toBeLessThanOrEqual(12);
    expect(Math.max(...counts.map((count, index) => count - (counts[index - 1] ?? 0)))).toBeLessThanOrEqual(2);
    const { fixity } = JSON.parse((await system.get('/imports/schedule')).text) as ScheduleResponse;
    expect(fixity).toMatchObject({ days: 10, datasets: 10, in_time: 10, differing: [] });
  });
});
