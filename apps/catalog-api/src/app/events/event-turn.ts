import { Injectable, Logger } from '@nestjs/common';
import { AttemptsRepository, type BegunAttempt } from './attempts.repository.js';
import { EventMetrics } from './event.metrics.js';
import { EventSender, type AttemptResult } from './event-sender.js';
import { EventsSettings } from './events.settings.js';
import { pauseSecondsAfter, retrySecondsAfter } from './retry-delays.js';
import { SubscriptionSecrets } from './subscription-secrets.js';

/** The status with which a receiver wants no further events, by the Standard Webhooks specification. */
const goneStatus = 410;

/** Sends the due events of one subscription, one after the other, oldest first. */
@Injectable()
export class EventTurn {
  private readonly logger = new Logger(EventTurn.name);

  constructor(
    private readonly repository: AttemptsRepository,
    private readonly sender: EventSender,
    private readonly secrets: SubscriptionSecrets,
    private readonly metrics: EventMetrics,
    private readonly settings: EventsSettings,
  ) {}

  /**
   * Sends events until none is due, an attempt fails, the lease is lost or `isStopped` returns true. Then ends the lease.
   * An event of which the process records no result is sent again.
   */
  async run(subscriptionId: number, lease: string, isStopped: () => boolean): Promise<void> {
    try {
      let isAccepted = true;
      while (isAccepted && !isStopped()) {
        const attempt = await this.repository.begin(subscriptionId, lease);
        if (!attempt) break;
        isAccepted = await this.attempt(subscriptionId, attempt);
      }
    } finally {
      await this.repository.release(subscriptionId, lease);
    }
  }

  /** Sends an event once and records the result. @returns whether the receiver accepted the event */
  private async attempt(subscriptionId: number, attempt: BegunAttempt): Promise<boolean> {
    const { status, problem } = await this.send(subscriptionId, attempt);
    if (problem === null) {
      await this.repository.succeed(subscriptionId, attempt.event_id, status);
      this.metrics.count('accepted');
      return true;
    }
    const failed = {
      ...{ status, problem, isGone: status === goneStatus },
      retrySeconds: retrySecondsAfter(attempt.attempts),
      pauseSeconds: pauseSecondsAfter(attempt.failures + 1),
    };
    const days = this.settings.EVENT_RETRY_DAYS;
    const paused = await this.repository.fail(subscriptionId, attempt.event_id, failed, days);
    this.metrics.count('failed');
    if (paused) {
      this.logger.warn(
        `event subscription paused: id=${String(subscriptionId)} name=${JSON.stringify(paused.name)} reason=${paused.pause_reason}`,
      );
    }
    return false;
  }

  private async send(subscriptionId: number, attempt: BegunAttempt): Promise<AttemptResult> {
    const { event_id: id, payload, url, secret, previous_secret } = attempt;
    const sealed = previous_secret === null ? [secret] : [secret, previous_secret];
    const secrets = sealed.map((each) => this.secrets.open(subscriptionId, each)).filter((each) => each !== null);
    if (secrets.length > 0) return this.sender.send({ id, url, payload, secrets });
    return { status: null, problem: 'KEY_HASH_SECRET has changed: rotate the secret of the subscription.' };
  }
}
