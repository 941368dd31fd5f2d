import { jest } from '@jest/globals';
import type { CatalogNotifier } from './catalog-notifier.js';
import type { CollectionDescriber } from './collection-describer.js';
import { PostImportWorker } from './post-import.worker.js';
import type { PostImportTasks } from './post-import-tasks.js';

describe(PostImportWorker.name, () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should stop when the catalog does not respond', async () => {
    const notifyPending = jest.fn(() => new Promise<number>(() => undefined));
    const worker = new PostImportWorker(
      { onRecorded: () => undefined } as unknown as PostImportTasks,
      { notifyPending } as unknown as CatalogNotifier,
      { describePending: () => Promise.resolve(Infinity) } as unknown as CollectionDescriber,
    );
    worker.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1_000);
    const stopping = worker.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopping;
    expect(notifyPending).toHaveBeenCalledTimes(1);
  });
});
