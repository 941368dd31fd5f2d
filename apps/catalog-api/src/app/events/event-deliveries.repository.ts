import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { allOf, fixedSql, sql } from '../../platform/database/sql.js';
import type { Page } from '../../platform/lists/page.dto.js';
import { readPage } from '../../platform/lists/page-reader.js';
import type { EventDeliveryResponse, SearchEventDeliveries } from './event-subscription.dto.js';
import type { EventType, testEventType } from './event-types.js';

/** A new event of the catalog itself. Triggers add the events about accesses and exposures. */
export interface NewEvent {
  readonly type: EventType | typeof testEventType;
  readonly data: object;
  /** The change that the event reports. A second event with the same origin is not added. */
  readonly origin: string | null;
}

const columns = `
  delivery.event_id, event.type, event.payload::json AS payload, delivery.state, delivery.attempts,
  CASE WHEN delivery.state = 'pending' THEN delivery.next_attempt_at END AS next_attempt_at,
  delivery.last_status, delivery.last_error, delivery.created_at, delivery.ended_at`;

const from = 'event_deliveries AS delivery JOIN events AS event ON event.id = delivery.event_id';

/** Adds an event with a delivery for each subscription in `$4`. Without a subscription, nothing is added. */
const addEvent = `
  WITH added AS (
    INSERT INTO events (id, type, payload, origin)
    SELECT gen_random_uuid(), $1::text,
           jsonb_build_object('type', $1::text, 'data', $2::jsonb,
             'timestamp', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text,
           $3::text
     WHERE cardinality($4::integer[]) > 0
    ON CONFLICT (origin) DO NOTHING RETURNING id)
  INSERT INTO event_deliveries (event_id, subscription_id)
  SELECT added.id, each.id FROM added, unnest($4::integer[]) AS each (id)
  RETURNING event_id`;

/** The statements about events and their deliveries. */
@Injectable()
export class EventDeliveriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns a page of the deliveries to a subscription, newest first. */
  search(subscriptionId: number, query: SearchEventDeliveries): Promise<Page<EventDeliveryResponse>> {
    const where = allOf([
      sql`delivery.subscription_id = ${subscriptionId}::integer`,
      ...(query.state === undefined ? [] : [sql`delivery.state = ${query.state}`]),
    ]);
    const order = [
      { by: 'delivery.created_at', type: 'timestamptz' },
      { by: 'delivery.event_id::text', type: 'text' },
    ] as const;
    const list = { columns: fixedSql(columns), from: fixedSql(from), where, order, descending: true };
    return readPage(this.dataSource, list, query);
  }

  async find(
    manager: EntityManager,
    subscriptionId: number,
    eventId: string,
  ): Promise<EventDeliveryResponse | undefined> {
    const [row] = await manager.query<EventDeliveryResponse[]>(
      `SELECT ${columns} FROM ${from} WHERE delivery.subscription_id = $1 AND delivery.event_id = $2`,
      [subscriptionId, eventId],
    );
    return row;
  }

  /** Makes a delivery due now, with a new count of attempts. */
  async restart(manager: EntityManager, subscriptionId: number, eventId: string): Promise<void> {
    await manager.query(
      `UPDATE event_deliveries
          SET state = 'pending', attempts = 0, started_at = clock_timestamp(), next_attempt_at = clock_timestamp(),
              ended_at = NULL
        WHERE subscription_id = $1 AND event_id = $2`,
      [subscriptionId, eventId],
    );
  }

  /** Returns the ids of the subscriptions of a type. */
  async subscribersOf(manager: EntityManager, type: EventType): Promise<readonly number[]> {
    const rows = await manager.query<{ id: number }[]>(
      'SELECT id FROM event_subscriptions WHERE $1 = ANY (types) ORDER BY id',
      [type],
    );
    return rows.map(({ id }) => id);
  }

  /** Adds an event for some subscriptions. @returns the id of the event; null if no event was added */
  async add(
    manager: EntityManager,
    { type, data, origin }: NewEvent,
    subscribers: readonly number[],
  ): Promise<string | null> {
    const rows = await manager.query<{ event_id: string }[]>(addEvent, [
      type,
      JSON.stringify(data),
      origin,
      [...subscribers],
    ]);
    return rows[0]?.event_id ?? null;
  }
}
