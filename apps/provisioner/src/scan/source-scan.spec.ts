import { jest } from '@jest/globals';
import type { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { SourceIndex } from '../source/source-index.js';
import { SourceScan } from './source-scan.js';
import type { PlaceScanner } from '../source/place-scanner.js';

describe(SourceScan.name, () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should not be kept from stopping by a source that does not answer', async () => {
    const list = jest.fn(() => new Promise<never>(() => undefined));
    const scan = new SourceScan(
      {} as unknown as PlaceScanner,
      { list } as unknown as SourceIndex,
      { SOURCE_SCAN_INTERVAL: 60 } as ProvisionerSettings,
    );
    scan.start();
    await jest.advanceTimersByTimeAsync(0);
    const stopping = scan.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    expect(list).toHaveBeenCalledTimes(1);
  });
});
