import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { runPreparedIn } from '../../platform/database/prepared.js';
import type { PauseReason } from './event-types.js';

/** The seconds of a lease, which each attempt extends. They are longer than an attempt can take. */
const leaseSeconds = 60;

/** An attempt that has begun, with the sealed secrets of its subscription. */
export interface BegunAttempt {
  readonly event_id: string;
  readonly payload: string;
  readonly url: string;
  readonly secret: string;
  /** null if there was no rotation, or its overlap has ended. */
  readonly previous_secret: string | null;
  /** The number of this attempt, from 1. */
  readonly attempts: number;
  /** The number of attempts at this receiver that failed in a row. */
  readonly failures: number;
}

/** A failed attempt, and the pauses that follow. */
export interface FailedAttempt {
  readonly status: number | null;
  readonly problem: string;
  /** The seconds until this event is sent again. */
  readonly retrySeconds: number;
  /** The seconds until any event is sent to the receiver. */
  readonly pauseSeconds: number;
  readonly isGone: boolean;
}

/** Skips subscriptions that another replica has locked, and subscriptions whose lease has not ended. */
const leaseDue = `
  UPDATE event_subscriptions SET lease = $1, leased_until = now() + make_interval(secs => ${String(leaseSeconds)})
   WHERE id IN (
     SELECT id FROM event_subscriptions AS subscription
      WHERE paused_at IS NULL AND resume_at <= now() AND coalesce(leased_until <= now(), true)
        AND EXISTS (SELECT FROM event_deliveries WHERE subscription_id = subscription.id AND state = 'pending'
                       AND next_attempt_at <= now())
        FOR UPDATE SKIP LOCKED)
  RETURNING id`;

/**
 * Extends the lease and counts an attempt at the oldest due event before the event is sent. If the process is killed, the
 * event is due again after the lease.
 */
const begin = `
  WITH held AS (
    UPDATE event_subscriptions SET leased_until = now() + make_interval(secs => ${String(leaseSeconds)})
     WHERE id = $1 AND lease = $2 AND leased_until > now() AND paused_at IS NULL
    RETURNING id, url, secret, CASE WHEN previous_until > now() THEN previous_secret END AS previous_secret, failures),
  due AS (
    SELECT event_id FROM event_deliveries
     WHERE subscription_id = (SELECT id FROM held) AND state = 'pending' AND next_attempt_at <= now()
     ORDER BY next_attempt_at, event_id LIMIT 1 FOR UPDATE)
  UPDATE event_deliveries AS delivery
     SET attempts = delivery.attempts + 1,
         next_attempt_at = now() + make_interval(secs => ${String(leaseSeconds)})
    FROM held, due, events AS event
   WHERE delivery.event_id = due.event_id AND delivery.subscription_id = held.id AND event.id = due.event_id
  RETURNING delivery.event_id, event.payload, held.url, held.secret, held.previous_secret, delivery.attempts, held.failures`;

const succeed = `
  WITH working AS (
    UPDATE event_subscriptions SET failures = 0, failing_since = NULL WHERE id = $1 AND failures > 0)
  UPDATE event_deliveries SET state = 'delivered', ended_at = now(), last_status = $3, last_error = NULL
   WHERE subscription_id = $1 AND event_id = $2`;

/** The delivery fails when its time is over. */
const fail = `
  UPDATE event_deliveries
     SET last_status = $3, last_error = $4, next_attempt_at = now() + make_interval(secs => $5),
         state = CASE WHEN isOver THEN 'failed' ELSE state END, ended_at = CASE WHEN isOver THEN now() END
    FROM (SELECT started_at <= now() - make_interval(days => $6) AS isOver FROM event_deliveries
           WHERE subscription_id = $1 AND event_id = $2) AS age
   WHERE subscription_id = $1 AND event_id = $2 AND state = 'pending'`;

const failReceiver = `
  UPDATE event_subscriptions
     SET failures = failures + 1, failing_since = coalesce(failing_since, now()),
         resume_at = now() + make_interval(secs => $2),
         pause_reason = CASE WHEN $4::boolean THEN 'gone'
                             WHEN failing_since <= now() - make_interval(days => $3) THEN 'failures' ELSE pause_reason END,
         paused_at = CASE WHEN $4::boolean OR failing_since <= now() - make_interval(days => $3) THEN now() ELSE paused_at END
   WHERE id = $1 AND paused_at IS NULL
  RETURNING name, pause_reason`;

/** The statements of attempts. Every state is in the database, so any replica continues after a crash. */
@Injectable()
export class AttemptsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Leases the subscriptions with due events to a turn. @returns their ids */
  async leaseDue(lease: string): Promise<readonly number[]> {
    const rows = await runPreparedIn<{ id: number }>(this.dataSource.manager, leaseDue, [lease]);
    return rows.map(({ id }) => id);
  }

  /** Begins the attempt at the next due event. @returns null if there is none, or the lease was lost */
  async begin(subscriptionId: number, lease: string): Promise<BegunAttempt | null> {
    const [row] = await runPreparedIn<BegunAttempt>(this.dataSource.manager, begin, [subscriptionId, lease]);
    return row ?? null;
  }

  async succeed(subscriptionId: number, eventId: string, status: number | null): Promise<void> {
    await runPreparedIn(this.dataSource.manager, succeed, [subscriptionId, eventId, status]);
  }

  /** Records a failed attempt. @returns the name of the subscription and the reason if the failure has paused it */
  async fail(
    subscriptionId: number,
    eventId: string,
    { status, problem, retrySeconds, pauseSeconds, isGone }: FailedAttempt,
    retryDays: number,
  ): Promise<{ readonly name: string; readonly pause_reason: PauseReason } | null> {
    return this.dataSource.transaction(async (manager) => {
      const values = [subscriptionId, eventId, status, problem, retrySeconds, retryDays];
      await runPreparedIn(manager, fail, values);
      const [row] = await runPreparedIn<{ name: string; pause_reason: PauseReason | null }>(manager, failReceiver, [
        subscriptionId,
        pauseSeconds,
        retryDays,
        isGone,
      ]);
      return row?.pause_reason ? { name: row.name, pause_reason: row.pause_reason } : null;
    });
  }

  /** Ends the lease of a turn. */
  async release(subscriptionId: number, lease: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE event_subscriptions SET lease = NULL, leased_until = NULL WHERE id = $1 AND lease = $2',
      [subscriptionId, lease],
    );
  }
}
