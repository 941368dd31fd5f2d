import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { fixedSql, sql } from '../../platform/database/sql.js';
import type { CountedPage, PageParameters } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import type { EventSubscriptionResponse } from './event-subscription.dto.js';
import type { EventType } from './event-types.js';
import { EventSubscription } from './event.entity.js';

/** The members of a subscription that administrators change. */
export interface SubscriptionColumns {
  readonly name: string;
  readonly url: string;
  readonly types: readonly EventType[];
}

const columns = `
  id, created_at, updated_at, name, url, types, paused_at, pause_reason, failing_since,
  CASE WHEN previous_until > now() THEN previous_until END AS previous_secret_until,
  (SELECT count(*)::integer FROM (
     SELECT FROM event_deliveries WHERE subscription_id = subscription.id AND state = 'pending' LIMIT 1000) AS waiting)
    AS waiting`;

/** The statements about subscriptions. */
@Injectable()
export class EventSubscriptionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  search(query: PageParameters): Promise<CountedPage<EventSubscriptionResponse>> {
    const order = [{ by: 'name', type: 'text' }] as const;
    const from = sql`event_subscriptions AS subscription`;
    return readCountedPage(this.dataSource, { columns: fixedSql(columns), from, where: sql`true`, order }, query);
  }

  async find(
    id: number,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<EventSubscriptionResponse | undefined> {
    const [row] = await manager.query<EventSubscriptionResponse[]>(
      `SELECT ${columns} FROM event_subscriptions AS subscription WHERE id = $1`,
      [id],
    );
    return row;
  }

  /** Returns the subscription. Until the transaction ends, no other transaction can change it. */
  async lock(manager: EntityManager, id: number): Promise<EventSubscriptionResponse | undefined> {
    await manager.query('SELECT FROM event_subscriptions WHERE id = $1 FOR UPDATE', [id]);
    return this.find(id, manager);
  }

  /** Returns the number of subscriptions. Until the transaction ends, no other transaction can add one. */
  async lockCount(manager: EntityManager): Promise<number> {
    await manager.query('LOCK TABLE event_subscriptions IN SHARE ROW EXCLUSIVE MODE');
    return manager.count(EventSubscription);
  }

  /** Returns the id of the new subscription, which has no secret yet. */
  async insert(manager: EntityManager, { name, url, types }: SubscriptionColumns): Promise<number> {
    const added = manager.create(EventSubscription, { name, url, types: [...types], secret: '' });
    await manager.insert(EventSubscription, added);
    return added.id;
  }

  async update(manager: EntityManager, id: number, { name, url, types }: SubscriptionColumns): Promise<void> {
    await manager.update(EventSubscription, id, { name, url, types: [...types] });
  }

  /** Pauses a subscription for an administrator. */
  async pause(manager: EntityManager, id: number): Promise<void> {
    await manager.update(EventSubscription, id, { pausedAt: () => 'now()', pauseReason: 'administrator' });
  }

  /** Ends the pause of a subscription. The next attempt is due now. */
  async resume(manager: EntityManager, id: number): Promise<void> {
    const state = { pausedAt: null, pauseReason: null, failures: 0, failingSince: null, resumeAt: () => 'now()' };
    await manager.update(EventSubscription, id, state);
  }

  /** Stores a sealed secret. The previous secret signs too for the given time. */
  async setSecret(manager: EntityManager, id: number, sealed: string, overlapSeconds: number): Promise<void> {
    await manager.query(
      `UPDATE event_subscriptions
          SET previous_secret = nullif(secret, ''), secret = $2, updated_at = now(),
              previous_until = now() + make_interval(secs => $3)
        WHERE id = $1`,
      [id, sealed, overlapSeconds],
    );
  }

  async remove(manager: EntityManager, id: number): Promise<void> {
    await manager.delete(EventSubscription, id);
  }
}
