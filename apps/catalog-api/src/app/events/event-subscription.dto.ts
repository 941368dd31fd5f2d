import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BodyMayBeMissing } from '@rdc/http';
import { ArrayMinSize, IsIn, IsOptional } from 'class-validator';
import { type CountedPage, CountedPageResponse, type Page, PageParameters } from '../../platform/lists/page.dto.js';
import { Flag, SomeOf, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import {
  deliveryStates,
  eventTypes,
  pauseReasons,
  type DeliveryState,
  type EventType,
  type PauseReason,
} from './event-types.js';

const maxOverlapSeconds = 30 * 24 * 60 * 60;
const longestUrl = 2000;

const descriptions = {
  name: 'Name of the receiver.',
  url: 'Address to which the catalog posts the events. An address outside the public internet must be in `EVENT_ALLOWED_ADDRESSES`.',
  types: 'The types of events that the receiver gets.',
  paused: 'Whether events wait instead of being sent. Events that wait longer than `EVENT_RETRY_DAYS` fail.',
};

/** A new subscription. */
export class CreateEventSubscription {
  @Text({ description: descriptions.name, max: 64, min: 1 })
  name!: string;

  @Text({ description: descriptions.url, max: longestUrl, min: 1 })
  url!: string;

  @SomeOf(eventTypes, { description: descriptions.types })
  @ArrayMinSize(1, { message: '$property must have at least one entry' })
  types!: EventType[];
}

/** The changes of a subscription. Absent members stay unchanged. */
export class UpdateEventSubscription {
  @Text({ description: descriptions.name, max: 64, min: 1, optional: true })
  name?: string;

  @Text({ description: descriptions.url, max: longestUrl, min: 1, optional: true })
  url?: string;

  @SomeOf(eventTypes, { description: descriptions.types, optional: true })
  @ArrayMinSize(1, { message: '$property must have at least one entry' })
  types?: EventType[];

  @Flag({ description: descriptions.paused, optional: true })
  paused?: boolean;
}

/** The request for a new secret of a subscription. */
@BodyMayBeMissing()
export class RotateEventSecret {
  @WholeNumber({
    description:
      'For how many seconds each event also has a signature of the previous secret, so that the receiver can change its secret. A day by default.',
    min: 0,
    max: maxOverlapSeconds,
    optional: true,
  })
  overlap_seconds = 24 * 60 * 60;
}

/** A subscription in answers to administrators. */
export class EventSubscriptionResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ description: descriptions.name })
  name!: string;

  @ApiProperty({ description: descriptions.url })
  url!: string;

  @ApiProperty({ enum: eventTypes, isArray: true, description: descriptions.types })
  types!: readonly EventType[];

  @ApiProperty({ type: Date, nullable: true, description: 'The time of the pause; null if events are sent.' })
  paused_at!: Date | null;

  @ApiProperty({
    enum: pauseReasons,
    nullable: true,
    description:
      'The reason of the pause. `failures`: no event was accepted for `EVENT_RETRY_DAYS`. `gone`: the receiver answered 410.',
  })
  pause_reason!: PauseReason | null;

  @ApiProperty({
    type: Date,
    nullable: true,
    description:
      'The time of the first failed attempt since the last accepted event; null if the last attempt succeeded.',
  })
  failing_since!: Date | null;

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'Until when events also have a signature of the previous secret; null if there is no previous secret.',
  })
  previous_secret_until!: Date | null;

  @ApiProperty({ type: 'integer', maximum: 1000, description: 'Number of events that wait; 1000 if more wait.' })
  waiting!: number;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A new subscription with its secret. No other answer contains the secret. */
export class CreatedEventSubscription extends EventSubscriptionResponse {
  @ApiProperty({ description: 'The secret that signs the events: `whsec_` and Base64. No later answer contains it.' })
  secret!: string;
}

/** A new secret. This is the only response that contains the secret. */
export class RotatedEventSecret {
  @ApiProperty({ description: 'The secret that signs the events. Store it now: no later response contains it.' })
  secret!: string;
}

/** A page of subscriptions, sorted by name. */
export class EventSubscriptionPage extends CountedPageResponse implements CountedPage<EventSubscriptionResponse> {
  @ApiProperty({ type: [EventSubscriptionResponse] })
  items!: readonly EventSubscriptionResponse[];
}

/** The query of a list of deliveries. */
export class SearchEventDeliveries extends PageParameters {
  @ApiPropertyOptional({ enum: deliveryStates, description: 'Only deliveries in this state.' })
  @IsOptional()
  @IsIn(deliveryStates, { message: `state must be one of ${deliveryStates.join(', ')}` })
  state?: DeliveryState;
}

/** The delivery of an event. */
export class EventDeliveryResponse {
  @ApiProperty({ format: 'uuid', description: 'The `webhook-id` of every attempt.' })
  event_id!: string;

  @ApiProperty({ description: 'The type of the event; `test` for a test event.' })
  type!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The body of every attempt.' })
  payload!: Record<string, unknown>;

  @ApiProperty({ enum: deliveryStates, description: '`failed`: no attempt succeeded in `EVENT_RETRY_DAYS`.' })
  state!: DeliveryState;

  @ApiProperty({ type: 'integer', description: 'Number of attempts.' })
  attempts!: number;

  @ApiProperty({ type: Date, nullable: true, description: 'The time of the next attempt; null if no attempt follows.' })
  next_attempt_at!: Date | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The status of the last response; null without one.' })
  last_status!: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The problem of the last attempt; null if it succeeded.' })
  last_error!: string | null;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty({ type: Date, nullable: true, description: 'When the event was accepted or the last attempt failed.' })
  ended_at!: Date | null;
}

/** A page of deliveries, newest first. */
export class EventDeliveryPage implements Page<EventDeliveryResponse> {
  @ApiProperty({ type: [EventDeliveryResponse] })
  items!: readonly EventDeliveryResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null on the last page.' })
  next_cursor!: string | null;
}
