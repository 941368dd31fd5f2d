import { jest } from '@jest/globals';
import type { Storage } from '../model/storage.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { SourceIndex } from '../source/source-index.js';
import type { ScanLease } from './scan-lease.js';
import { ScanRounds } from './scan-rounds.js';
import type { SourceScan } from './source-scan.js';

const settings = { SOURCE_SCAN_INTERVAL: 60, SOURCE_RECHECK_DAYS: 7 } as ProvisionerSettings;

describe(ScanRounds.name, () => {
  const hang = (): Promise<never> => new Promise(() => undefined);
  const list = jest.fn(hang);
  const saved = new Map();
  const scan = { toSave: saved, dropSaved: () => undefined } as unknown as SourceScan;

  const roundsWith = (lease: Partial<ScanLease>): ScanRounds =>
    new ScanRounds(scan, { list } as unknown as SourceIndex, {} as Storage, lease as ScanLease, settings);

  beforeEach(() => {
    jest.useFakeTimers();
    list.mockClear();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should stop within ten seconds when the source and the storage do not answer', async () => {
    const rounds = roundsWith({ isHeld: () => true, renew: () => Promise.resolve(), release: hang });
    rounds.start();
    await jest.advanceTimersByTimeAsync(0);
    const stopping = rounds.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    expect(list).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['another process holds the lease', (): Promise<void> => Promise.resolve(), 0],
    ['the storage cannot be written', () => Promise.reject(new StorageFailure('full', 'ENOSPC')), 1],
  ])('should scan only without another scanning process when %s', async (_, renew, expected) => {
    const rounds = roundsWith({ isHeld: () => false, renew });
    rounds.start();
    await jest.advanceTimersByTimeAsync(30_000);
    expect(list).toHaveBeenCalledTimes(expected);
    const stopping = rounds.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
  });
});
