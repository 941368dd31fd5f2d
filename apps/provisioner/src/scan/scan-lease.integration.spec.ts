import { jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { ScanLease } from './scan-lease.js';

describe(ScanLease.name, () => {
  let root: string;
  let one: ScanLease;
  let other: ScanLease;
  let now: number;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'scan-lease-'));
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    [one, other] = [new ScanLease(new PosixRecords(root)), new ScanLease(new PosixRecords(root))];
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(root, { recursive: true });
  });

  const held = (): boolean[] => [one.isHeld(), other.isHeld()];

  it('should be held by one process while that process renews it', async () => {
    for (let renewal = 0; renewal < 10; renewal += 1) {
      await one.renew();
      await other.renew();
      expect(held()).toEqual([true, false]);
      now += 5_000;
    }
  });

  it('should be held by exactly one of many processes that start together', async () => {
    const all = Array.from({ length: 20 }, () => new ScanLease(new PosixRecords(root)));
    await Promise.all(all.map((each) => each.renew()));
    expect(all.filter((each) => each.isHeld())).toHaveLength(1);
  });

  it('should pass to another process within 20 seconds when its holder was killed', async () => {
    await one.renew();
    for (let waited = 0; waited <= 15_000; waited += 5_000) {
      await other.renew();
      now += 5_000;
    }
    expect(held()).toEqual([false, true]);
  });

  it('should end for a holder that was frozen, and stay with the process that took it over', async () => {
    await one.renew();
    await other.renew();
    now += 15_000;
    await other.renew();
    await one.renew();
    expect(held()).toEqual([false, true]);
    await one.release();
    await other.renew();
    expect(held()).toEqual([false, true]);
  });

  it('should pass to another process at once when it is released', async () => {
    await one.renew();
    await one.release();
    await other.renew();
    expect(held()).toEqual([false, true]);
  });
});
