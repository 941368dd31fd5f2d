import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { randomUUID } from 'node:crypto';
import { RepeatingJob } from '../../platform/jobs/repeating-job.js';
import { AttemptsRepository } from './attempts.repository.js';
import { EventTurn } from './event-turn.js';

/** The pause between two searches for due events. */
const restMs = 1_000;

/**
 * Starts a turn for each subscription with due events. Turns run at the same time, so a slow receiver delays no other
 * receiver. Replicas share the work: a lease in the database gives each subscription to one of them.
 */
@Injectable()
export class EventDispatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly job = new RepeatingJob(EventDispatcher.name, restMs, () => this.dispatch());
  private readonly outages = new OutageLog('sending events', new Logger(EventDispatcher.name));
  private readonly turns = new Set<Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly repository: AttemptsRepository,
    private readonly turn: EventTurn,
  ) {}

  onApplicationBootstrap(): void {
    this.job.start();
  }

  /** Waits for the attempts that run. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.job.stop();
    await Promise.all(this.turns);
  }

  /** Starts the turns that are due. */
  private async dispatch(): Promise<void> {
    const lease = randomUUID();
    for (const id of await this.repository.leaseDue(lease)) {
      const turn = this.turn
        .run(id, lease, () => this.isStopping)
        .then(
          () => {
            this.outages.succeeded();
          },
          (error: unknown) => {
            this.outages.failed(error);
          },
        )
        .finally(() => this.turns.delete(turn));
      this.turns.add(turn);
    }
  }
}
