import { jest } from '@jest/globals';
import type { Storage } from '../model/storage.js';
import type { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { SourceIndex } from '../source/source-index.js';
import type { ScanLease } from './scan-lease.js';
import { ScanRounds } from './scan-rounds.js';
import type { SourceScan } from './source-scan.js';

describe(ScanRounds.name, () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should stop within ten seconds when the source and the storage do not answer', async () => {
    const hang = (): Promise<never> => new Promise(() => undefined);
    const list = jest.fn(hang);
    const lease = { isHeld: () => true, renew: () => Promise.resolve(), release: hang } as unknown as ScanLease;
    const rounds = new ScanRounds(
      {} as unknown as SourceScan,
      { list } as unknown as SourceIndex,
      {} as unknown as Storage,
      lease,
      { SOURCE_SCAN_INTERVAL: 60, SOURCE_RECHECK_DAYS: 7 } as ProvisionerSettings,
    );
    rounds.start();
    await jest.advanceTimersByTimeAsync(0);
    const stopping = rounds.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    expect(list).toHaveBeenCalledTimes(1);
  });
});
