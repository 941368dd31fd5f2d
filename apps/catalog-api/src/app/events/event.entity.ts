import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { DatedRow, Instant, Reference, Words } from '../../platform/database/record.entity.js';
import type { DeliveryState, EventType, PauseReason } from './event-types.js';

/** A receiver of events and the types of events that it receives. */
@Entity('event_subscriptions')
export class EventSubscription extends DatedRow {
  @Column({ type: 'varchar', length: 64, unique: true })
  name!: string;

  @Column({ type: 'varchar', length: 2000 })
  url!: string;

  @Words()
  types!: EventType[];

  /** The encrypted secret that signs the events. */
  @Column({ type: 'text' })
  secret!: string;

  /** The encrypted secret before the last rotation. Until `previousUntil`, each event has a signature of both secrets. */
  @Column({ type: 'text', nullable: true })
  previousSecret!: string | null;

  @Instant({ nullable: true })
  previousUntil!: Date | null;

  /** The instant of the pause; null if events are sent. */
  @Instant({ nullable: true })
  pausedAt!: Date | null;

  @Column({ type: 'varchar', length: 13, nullable: true })
  pauseReason!: PauseReason | null;

  /** The number of attempts that failed since the last success. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  /** The instant of the first failure since the last success. */
  @Instant({ nullable: true })
  failingSince!: Date | null;

  /** The earliest instant of the next attempt. */
  @Instant({ default: () => 'now()' })
  resumeAt!: Date;

  /** The turn that sends the events, and the end of its lease. No other turn may send until then. */
  @Column({ type: 'uuid', nullable: true })
  lease!: string | null;

  @Instant({ nullable: true })
  leasedUntil!: Date | null;
}

/** An event in the outbox. The transaction of the change writes the event. */
@Entity('events')
export class OutgoingEvent {
  /** The `webhook-id` of every attempt. */
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  @Index()
  createdAt!: Date;

  @Column({ type: 'varchar', length: 40 })
  type!: string;

  /** The body of every attempt. */
  @Column({ type: 'text' })
  payload!: string;

  /** The change outside the catalog that the event reports. A repeated report adds no second event. */
  @Column({ type: 'varchar', length: 80, nullable: true, unique: true })
  origin!: string | null;
}

/** The delivery of an event to a subscription. */
@Entity('event_deliveries')
@Index('event_deliveries_list_idx', ['subscriptionId', 'createdAt', 'eventId'])
@Index('event_deliveries_due_idx', ['subscriptionId', 'nextAttemptAt', 'eventId'], { where: `state = 'pending'` })
@Index('event_deliveries_started_idx', ['startedAt'], { where: `state = 'pending'` })
@Check('event_deliveries_state_check', `state IN ('pending', 'delivered', 'failed')`)
export class EventDelivery {
  @PrimaryColumn({ type: 'uuid' })
  eventId!: string;

  @ManyToOne(() => OutgoingEvent, { onDelete: 'CASCADE' })
  @JoinColumn()
  event!: Relation<OutgoingEvent>;

  /** The id of the subscription, which may have been removed. */
  @Reference({ primary: true })
  subscriptionId!: number;

  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column({ type: 'varchar', length: 9, default: 'pending' })
  state!: DeliveryState;

  /** The number of attempts since `startedAt`. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** The beginning of the attempts: the creation, or the last time that an administrator sent the event again. */
  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  startedAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  nextAttemptAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  /** The status of the last response; null if there was none. */
  @Column({ type: 'integer', nullable: true })
  lastStatus!: number | null;

  @Column({ type: 'text', nullable: true })
  lastError!: string | null;
}
