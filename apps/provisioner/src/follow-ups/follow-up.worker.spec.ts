import { jest } from '@jest/globals';
import type { CatalogTeller } from './catalog-teller.js';
import type { CollectionDescriber } from './collection-describer.js';
import { FollowUpWorker } from './follow-up.worker.js';
import type { FollowUps } from './follow-ups.js';

describe(FollowUpWorker.name, () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should not be kept from stopping by a catalog that takes its time', async () => {
    const tellPending = jest.fn(() => new Promise<number>(() => undefined));
    const worker = new FollowUpWorker(
      { whenNoted: () => undefined } as unknown as FollowUps,
      { tellPending } as unknown as CatalogTeller,
      { describePending: () => Promise.resolve(Infinity) } as unknown as CollectionDescriber,
    );
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1_000);
    const stopping = worker.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    expect(tellPending).toHaveBeenCalledTimes(1);
  });
});
