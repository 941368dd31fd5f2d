import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SubscriptionsState } from './event.metrics.js';

/** The maximum number of rows that one statement changes. */
const batchSize = 1_000;

const giveUp = `
  UPDATE event_deliveries AS delivery
     SET state = 'failed', ended_at = now(), last_error = coalesce(last_error, 'The event waited too long.')
    FROM (SELECT event_id, subscription_id FROM event_deliveries
           WHERE state = 'pending' AND started_at <= now() - make_interval(days => $1)
           ORDER BY started_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
   WHERE (delivery.event_id, delivery.subscription_id) = (old.event_id, old.subscription_id)`;

/** Keeps events that are sent again. */
const removeOld = `
  DELETE FROM events WHERE id IN (
    SELECT id FROM events AS event
     WHERE created_at <= now() - make_interval(days => $1)
       AND NOT EXISTS (SELECT FROM event_deliveries WHERE event_id = event.id AND state = 'pending')
     LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** Removes the deliveries of removed subscriptions. */
const removeOrphans = `
  DELETE FROM event_deliveries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM event_deliveries AS delivery
     WHERE NOT EXISTS (SELECT FROM event_subscriptions WHERE id = delivery.subscription_id) LIMIT $1))`;

const state = `
  SELECT count(*) FILTER (WHERE pause_reason <> 'administrator')::integer AS stopped,
         coalesce(extract(epoch FROM max(now() - failing_since) FILTER (WHERE paused_at IS NULL)), 0)::float AS failing_seconds
    FROM event_subscriptions`;

/** The statements that keep the outbox small, each in batches. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Fails the deliveries that have waited for a number of days, those of paused subscriptions too. */
  giveUpAfter(days: number): Promise<void> {
    return this.repeat(giveUp, [days, batchSize]);
  }

  /** Removes events older than a number of days with their deliveries, and the deliveries of removed subscriptions. */
  async removeAfter(days: number): Promise<void> {
    await this.repeat(removeOrphans, [batchSize]);
    await this.repeat(removeOld, [days, batchSize]);
  }

  async readState(): Promise<SubscriptionsState> {
    const [row] = await this.dataSource.query<[SubscriptionsState]>(state);
    return row;
  }

  /** Repeats a statement until it changes less than a batch. */
  private async repeat(statement: string, values: readonly number[]): Promise<void> {
    let changed = batchSize;
    while (changed === batchSize) {
      [, changed] = await this.dataSource.query<[unknown, number]>(statement, [...values]);
    }
  }
}
