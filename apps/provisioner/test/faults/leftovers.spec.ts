import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sweeper } from '../../src/import-runs/sweeper.js';
import type { ProvisionerSettings } from '../../src/settings/provisioner.settings.js';
import { PosixRecords } from '../../src/storage/posix/posix-records.js';
import { PosixStorage } from '../../src/storage/posix/posix-storage.js';
import { removeTree } from '../../src/storage/posix/remove-tree.js';
import { StoredRequestLog } from '../../src/request-log/stored-request-log.js';
import { layFiles } from '../support/delivery.js';
import { itSweeps } from './support/sweep.contract.js';

const today = new Date().toISOString().slice(0, 10).replaceAll('-', '/');

describe('leftovers in a folder', () => {
  let root: string;
  let storage: PosixStorage;
  let records: PosixRecords;
  let log: StoredRequestLog;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'leftovers-'));
    storage = new PosixStorage(root);
    records = new PosixRecords(root);
    log = new StoredRequestLog(records);
  });

  afterEach(async () => {
    await removeTree(root);
  });

  itSweeps(() => ({ storage, log, records }));

  it('should remove staging folders that were moved aside, files of probes and incomplete records', async () => {
    const data = join(root, 'data');
    const folders = [
      '.staging/removed/1/payload',
      '.staging/probe-1/full',
      '.requests/open/dataset',
      '.requests/status',
      '.requests/probe',
    ];
    for (const folder of folders) await mkdir(join(data, folder), { recursive: true });
    for (const half of ['open/dataset/DS-1.json.1.tmp', 'status/1.json.2.tmp', 'probe/3']) {
      await writeFile(join(data, '.requests', half), '{');
    }
    const sweeper = new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings);
    const removed = await sweeper.sweep(Date.now() + 2 * 60 * 60_000);
    expect([...removed].sort()).toEqual([
      'data/.requests/open/dataset/DS-1.json.1.tmp',
      'data/.requests/probe/3',
      'data/.requests/status/1.json.2.tmp',
      'data/.staging/probe-1',
      'data/.staging/removed/1',
    ]);
    expect(await readdir(join(data, '.staging/removed'))).toEqual([]);
  });

  it('should put back a record that was set aside unless a new record has its name', async () => {
    const folder = '.requests/open/dataset';
    for (const name of ['one', 'two']) {
      await records.create(`${folder}/${name}`, 'first');
      let checks = 0;
      const removed = records.removeIf(`${folder}/${name}`, () => {
        if (checks++ > 0) throw new Error('killed');
        return true;
      });
      await expect(removed).rejects.toThrow('killed');
      await utimes(join(root, 'data', folder, (await readdir(join(root, 'data', folder)))[0] ?? ''), 0, 0);
    }
    await records.create(`${folder}/two`, 'second');
    const sweeper = new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings);
    expect(await sweeper.sweep(Date.now() + 30 * 60_000)).toEqual([]);
    expect(await sweeper.sweep(Date.now() + 2 * 60 * 60_000)).toHaveLength(2);
    expect(await readdir(join(root, 'data', folder))).toEqual(['one', 'two']);
    expect(await records.readAll([`${folder}/one`, `${folder}/two`])).toEqual(['first', 'second']);
    await rm(join(root, 'data', folder), { recursive: true });
  });

  it('should remove incomplete records from every folder of records and keep documents', async () => {
    const data = join(root, 'data');
    const incomplete = [
      ...['pending/catalog/DS-1~1.json', 'pending/description/SUB-1~1.json', 'untold/DS-1.json', 'schedule/rule.json'],
      ...['fixity/credit.json', 'fixity/checked/2026-01-01/DS-1', `done/${today}/1.json`],
    ].map((path) => `.requests/${path}.1.tmp`);
    incomplete.push('.quarantine/dataset/DS-1/1/report.json.1.tmp', '.staging/beside/ro-crate-metadata.json.1.tmp');
    const others = ['projects/SUB-1/ro-crate-metadata.json.1.tmp', '.requests/done/2020/01/01/1.json'];
    await layFiles(data, Object.fromEntries([...incomplete, ...others].map((path) => [path, '{'])));
    const sweeper = new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings);
    expect(await sweeper.sweep(Date.now() + 30 * 60_000)).toEqual([]);
    const removed = await sweeper.sweep(Date.now() + 2 * 60 * 60_000);
    expect([...removed].sort()).toEqual(incomplete.map((path) => `data/${path}`).sort());
    for (const path of others) expect(await readFile(join(data, path), 'utf8')).toBe('{');
  });

  it('should limit the concurrent calls when it removes a large folder', async () => {
    const names = Array.from(
      { length: 3_000 },
      (_, index) => [`.staging/removed/2/payload/${String(index)}`, ''] as const,
    );
    await layFiles(join(root, 'data'), Object.fromEntries(names));
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.getActiveResourcesInfo().filter((name) => name.startsWith('FSReq')).length);
    }, 1);
    const sweeper = new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings);
    expect(await sweeper.sweep(Date.now() + 2 * 60 * 60_000)).toEqual(['data/.staging/removed/2']);
    clearInterval(timer);
    expect(peak).toBeLessThan(100);
  });

  it('should remove the other leftovers when one cannot be removed', async () => {
    const staging = join(root, 'data/.staging');
    for (const folder of ['dataset/no id', 'probe-2']) await mkdir(join(staging, folder), { recursive: true });
    const sweeper = new Sweeper(storage, log, { STAGING_DAYS: 7 } as ProvisionerSettings);
    expect(await sweeper.sweep(Date.now() + 2 * 60 * 60_000)).toEqual(['data/.staging/probe-2']);
  });
});
