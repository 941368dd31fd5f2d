import { jest } from '@jest/globals';
import { chmod, mkdir, readdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOf } from '../src/fixity/fixity-log.js';
import { FixityRound } from '../src/schedule/fixity-round.js';
import type { ScheduleResponse } from '../src/schedule/schedule.dto.js';
import { digest } from './support/delivery.js';
import { onEachQueue } from './support/queues.js';
import { TestSystem, until, type Item } from './support/system.js';

jest.setTimeout(120_000);

const dayMs = 86_400_000;

describe('a verification', () => {
  let system: TestSystem;
  let published: string;

  beforeAll(async () => {
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

  afterAll(() => system.stop());

  const verify = async (id: string): Promise<{ state: string; code: string | undefined; files: Item[] }> => {
    const submitted = await system.post(`/datasets/srcsys/${id}/verify`);
    const ended = await system.ended(submitted.body.id);
    const { error } = ended as unknown as { error: { code: string } | null };
    const files = (await system.get(`/imports/${submitted.body.id}/files?state=failed`)).body.items;
    return { state: ended.state, code: error?.code, files: [...files] };
  };

  /** Changes files and folders, which are read-only otherwise. */
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

  it('should find no difference when nothing was changed', async () => {
    expect(await verify('DS-1')).toEqual({ state: 'finished', code: undefined, files: [] });
  });

  it('should list every missing, extra and differing file and folder, and fix none', async () => {
    await tamper();
    const found = await verify('DS-1');
    expect(found.files.map(({ path, code }) => [path, code])).toEqual([
      ['empty', 'file.unlisted'],
      ['linked', 'file.special'],
      ['open', 'mode.changed'],
      ['short', 'size.mismatch'],
      ['sub', 'mode.changed'],
      ['sub/extra', 'file.unlisted'],
      ['sub/flipped', 'checksum.mismatch'],
      ['sub/gone', 'file.missing'],
    ]);
    expect(found.state).toBe('failed');
    expect(await readFile(join(published, 'sub/flipped'), 'utf8')).toBe('abd');
    expect(await verify('DS-1')).toEqual(found);
    const { fixity } = JSON.parse((await system.get('/imports/schedule')).text) as ScheduleResponse;
    expect(fixity).toMatchObject({ days: null, datasets: 2, differing: [{ dataset_id: 'DS-1' }] });
  });

  it('should report the list when it was changed together with a file', async () => {
    const folder = join(system.storage, 'data/raw/DS-2');
    const list = join(folder, '.import/files.ndjson');
    for (const path of [join(folder, 'a'), list]) await chmod(path, 0o640);
    await writeFile(join(folder, 'a'), '2');
    await writeFile(list, (await readFile(list, 'utf8')).replace(digest('sha256', '1'), digest('sha256', '2')));
    await chmod(join(folder, 'a'), 0o440);
    expect(await verify('DS-2')).toMatchObject({ code: 'list.changed', files: [{ path: '.import/files.ndjson' }] });
  });

  it('should be recorded as checked when it cannot read the list', async () => {
    await system.deliver('SUB-1', { 'DS-3/a': '1' });
    await system.post('/datasets/srcsys/import?wait=20', { dataset_id: 'DS-3' });
    const records = join(system.storage, 'data/raw/DS-3/.import');
    await chmod(records, 0o750);
    await unlink(join(records, 'files.ndjson'));
    await mkdir(join(records, 'files.ndjson'));
    expect(await verify('DS-3')).toMatchObject({ state: 'failed', files: [] });
    const checked = await readdir(join(system.storage, 'data/.requests/fixity/checked', dayOf(new Date())));
    expect(checked).toContain('DS-3');
  });

  it('should fail without differences when the dataset is withdrawn before it starts', async () => {
    await system.stopWorkers();
    const submitted = await system.post('/datasets/srcsys/DS-2/verify');
    const published = join(system.storage, 'data/raw/DS-2');
    await chmod(published, 0o750); // a folder can be moved only while it is writable
    await rename(published, join(system.storage, 'aside'));
    await system.startWorker();
    const ended = (await system.ended(submitted.body.id)) as unknown as { error: { code: string } };
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
    for (let at = 0; at < 10; at++) {
      await system.deliver('SUB-1', { [`DS-${String(at)}/a`]: Buffer.alloc(100_000) });
      await system.post('/datasets/srcsys/import?wait=20', { dataset_id: `DS-${String(at)}` });
    }
  });

  afterAll(() => system.stop());

  const verified = async (): Promise<string[]> =>
    (await system.get('/imports?kind=verify&state=finished')).body.items.map(
      (item) => (item as Item & { subject: string }).subject,
    );

  /** Moves the records of verifications to another day. */
  async function backdate(from: Date, to: Date): Promise<void> {
    const folder = (at: Date): string => join(system.storage, 'data/.requests/fixity/checked', dayOf(at));
    if ((await readdir(folder(from)).catch(() => [])).length > 0) await rename(folder(from), folder(to));
  }

  test('should verify every dataset within the period, some each day, when workers restart', async () => {
    const start = Date.now();
    const verifiedByDay: string[][] = [];
    for (let day = 1; day <= 10; day++) {
      // The rounds of two workers at the same time must not submit a verification twice.
      const workers = [await system.startWorker(), await system.startWorker()];
      for (const worker of workers) await worker.get(FixityRound, { strict: false }).run(new Date(start + day * dayMs));
      await until(async () => (await system.get('/imports?state=queued')).body.items.length === 0);
      await until(async () => (await system.get('/imports?state=running')).body.items.length === 0);
      await backdate(new Date(start), new Date(start + day * dayMs));
      verifiedByDay.push(await verified());
      await system.stopWorkers();
    }
    const counts = verifiedByDay.map((each) => each.length);
    expect(new Set(verifiedByDay.at(-1)).size).toBe(10);
    // All ten datasets, and two of the next round, because a round takes less than the period.
    expect(counts.at(-1)).toBeLessThanOrEqual(12);
    expect(Math.max(...counts.map((count, at) => count - (counts[at - 1] ?? 0)))).toBeLessThanOrEqual(2);
    const { fixity } = JSON.parse((await system.get('/imports/schedule')).text) as ScheduleResponse;
    expect(fixity).toMatchObject({ days: 10, datasets: 10, in_time: 10, differing: [] });
  });
});
