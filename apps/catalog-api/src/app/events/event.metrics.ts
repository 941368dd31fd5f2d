import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** The state of all subscriptions. */
export interface SubscriptionsState {
  /** The number of subscriptions that failures or a removed receiver have paused. */
  readonly stopped: number;
  /** The seconds for which the receiver that fails longest has failed; 0 if none fails. */
  readonly failing_seconds: number;
}

/** Metrics of outgoing events. The gauges are the same in every replica. */
@Injectable()
export class EventMetrics {
  private readonly attempts: Counter<'result'>;
  private readonly stopped: Gauge;
  private readonly failingSeconds: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.attempts = new Counter({
      ...{ name: 'catalog_event_attempts_total', help: 'Attempts to send an event, by result.', registers },
      labelNames: ['result'],
    });
    this.stopped = new Gauge({
      ...{ name: 'catalog_event_subscriptions_stopped', registers },
      help: 'Subscriptions that are paused because their receivers failed.',
    });
    this.failingSeconds = new Gauge({
      ...{ name: 'catalog_event_receiver_failing_seconds', registers },
      help: 'How long the receiver that fails longest has accepted no event, in seconds; 0 if none fails.',
    });
    for (const result of ['accepted', 'failed']) this.attempts.inc({ result }, 0);
  }

  /** Counts an attempt. */
  count(result: 'accepted' | 'failed'): void {
    this.attempts.inc({ result });
  }

  set({ stopped, failing_seconds }: SubscriptionsState): void {
    this.stopped.set(stopped);
    this.failingSeconds.set(failing_seconds);
  }
}
