import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { AsyncLocalStorage } from 'node:async_hooks';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import { CatalogNotifier } from './catalog-notifier.js';
import { CollectionDescriber } from './collection-describer.js';
import { PostImportTasks } from './post-import-tasks.js';

/** What is noted at once is done together. */
const gatherMs = 300;

/** What another process has noted, and was killed before it did it, is found so often. */
const sweepMs = 60_000;

const firstPauseMs = 1_000;

/** Does what is left to do after imports: at once, and again with growing pauses while it does not succeed. */
@Injectable()
export class PostImportWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PostImportWorker.name);
  private readonly lanes: readonly Lane[];

  constructor(followUps: PostImportTasks, catalog: CatalogNotifier, collections: CollectionDescriber) {
    const lane = (name: string, work: () => Promise<number>): Lane => new Lane(work, new OutageLog(name, this.logger));
    this.lanes = [
      lane('telling the catalog', () => catalog.notifyPending()),
      lane('describing collections', () => collections.describePending()),
    ];
    followUps.onRecorded(() => {
      for (const each of this.lanes) each.hurry();
    });
  }

  onApplicationBootstrap(): void {
    for (const each of this.lanes) each.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.lanes.map((each) => each.stop()));
  }
}

/** One kind of work, never done twice at once: after a failure it pauses, however much it is hurried. */
class Lane {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isStopped = false;
  private isHurried = false;
  private failures = 0;
  private nextMs = sweepMs;
  /** What hurries it is not what it works for: its rounds belong to no import's trace. */
  private readonly apart = AsyncLocalStorage.snapshot();

  /** @param work answers after how many milliseconds it is to be done again at the latest */
  constructor(
    private readonly work: () => Promise<number>,
    private readonly outages: OutageLog,
  ) {}

  start(): void {
    this.schedule(0);
  }

  hurry(): void {
    this.isHurried = true;
    if (this.running === null && this.failures === 0) this.apart(this.schedule.bind(this), gatherMs);
  }

  /** Waits for the round under way, but not for long: a catalog that takes its time may be asked of many datasets. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    if (this.running) await waitAtMost(this.running);
  }

  private schedule(afterMs: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run().finally(() => {
        this.running = null;
        this.schedule(this.pause());
      });
    }, afterMs);
  }

  private async run(): Promise<void> {
    this.isHurried = false;
    try {
      this.nextMs = await this.work();
      this.failures = 0;
      this.outages.succeeded();
    } catch (error) {
      this.failures += 1;
      this.outages.failed(error);
    }
  }

  private pause(): number {
    if (this.failures > 0) return Math.min(sweepMs, firstPauseMs * 2 ** (this.failures - 1));
    return this.isHurried ? gatherMs : Math.min(sweepMs, this.nextMs);
  }
}
