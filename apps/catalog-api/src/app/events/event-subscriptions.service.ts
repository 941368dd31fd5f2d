import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { isUUID } from 'class-validator';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { violatedConstraint } from '../../platform/database/postgres-errors.js';
import { applyChanges } from '../../platform/properties/changes.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import type { PageParameters } from '../../platform/lists/page.dto.js';
import { EventDeliveriesRepository, type NewEvent } from './event-deliveries.repository.js';
import type {
  CreatedEventSubscription,
  CreateEventSubscription,
  EventDeliveryPage,
  EventDeliveryResponse,
  EventSubscriptionPage,
  EventSubscriptionResponse,
  RotatedEventSecret,
  RotateEventSecret,
  SearchEventDeliveries,
  UpdateEventSubscription,
} from './event-subscription.dto.js';
import { EventSubscriptionsRepository, type SubscriptionColumns } from './event-subscriptions.repository.js';
import { testEventType } from './event-types.js';
import { ReceiverUrls } from './receiver-urls.js';
import { SubscriptionSecrets } from './subscription-secrets.js';

const resource = 'event-subscriptions';
const word = 'event subscription';

/** The maximum number of subscriptions. Each replica may send to all of them at once. */
const maxSubscriptions = 50;

/** Manages the subscriptions of events. Administrators only. */
@Injectable()
export class EventSubscriptionsService {
  constructor(
    private readonly repository: EventSubscriptionsRepository,
    private readonly deliveries: EventDeliveriesRepository,
    private readonly secrets: SubscriptionSecrets,
    private readonly urls: ReceiverUrls,
    private readonly catalog: CatalogWriter,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns a page of subscriptions, sorted by name. */
  async search(caller: Principal, query: PageParameters): Promise<EventSubscriptionPage> {
    requireAdministrator(caller);
    return this.repository.search(query);
  }

  /** Returns a subscription. @throws UnknownRecordError if the subscription does not exist */
  async get(caller: Principal, id: string): Promise<EventSubscriptionResponse> {
    requireAdministrator(caller);
    return this.foundOrFail(id, await this.repository.find(parseRecordId(word, id)));
  }

  /** Creates a subscription. @throws InvalidInputError if the name is in use, the URL is refused or there are too many */
  async create(caller: Principal, input: CreateEventSubscription): Promise<CreatedEventSubscription> {
    requireAdministrator(caller);
    this.urls.check(input.url);
    return this.write(async (manager) => {
      if ((await this.repository.lockCount(manager)) >= maxSubscriptions) {
        const problem = `must be one of at most ${String(maxSubscriptions)} subscriptions; remove another one first`;
        throw new InvalidInputError([{ field: 'name', problem }]);
      }
      const id = await this.repository.insert(manager, input);
      const secret = this.secrets.create();
      await this.repository.setSecret(manager, id, this.secrets.seal(id, secret), 0);
      await this.record(manager, caller, 'create', { id, after: auditedOf(input) });
      return Object.assign(await this.lockOrFail(manager, String(id)), { secret });
    });
  }

  /** Changes the given members if a value differs. @throws UnknownRecordError if the subscription does not exist */
  async update(
    caller: Principal,
    id: string,
    { paused, ...changes }: UpdateEventSubscription,
  ): Promise<EventSubscriptionResponse> {
    requireAdministrator(caller);
    if (changes.url !== undefined) this.urls.check(changes.url);
    return this.write(async (manager) => {
      const row = await this.lockOrFail(manager, id);
      const before = columnsOf(row);
      const after = applyChanges<SubscriptionColumns>(before, changes);
      if (after) {
        await this.repository.update(manager, row.id, after);
        await this.record(manager, caller, 'update', {
          id: row.id,
          before: auditedOf(before),
          after: auditedOf(after),
        });
      }
      if (paused !== undefined && paused !== (row.paused_at !== null)) {
        await (paused ? this.repository.pause(manager, row.id) : this.repository.resume(manager, row.id));
        await this.record(manager, caller, paused ? 'pause' : 'resume', { id: row.id });
      }
      return this.lockOrFail(manager, id);
    });
  }

  /** Removes a subscription. Its deliveries are removed later. @throws UnknownRecordError if it does not exist */
  async remove(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    await this.write(async (manager) => {
      const row = await this.lockOrFail(manager, id);
      await this.repository.remove(manager, row.id);
      await this.record(manager, caller, 'remove', { id: row.id, before: auditedOf(row) });
    });
  }

  /** Creates another secret. During the overlap, events have a signature of the previous secret too. */
  async rotate(caller: Principal, id: string, { overlap_seconds }: RotateEventSecret): Promise<RotatedEventSecret> {
    requireAdministrator(caller);
    return this.write(async (manager) => {
      const row = await this.lockOrFail(manager, id);
      const secret = this.secrets.create();
      await this.repository.setSecret(manager, row.id, this.secrets.seal(row.id, secret), overlap_seconds);
      await this.record(manager, caller, 'rotate', { id: row.id, after: { overlap_seconds } });
      return { secret };
    });
  }

  /** Adds a test event for one subscription, and returns its delivery. */
  async sendTest(caller: Principal, id: string): Promise<EventDeliveryResponse> {
    requireAdministrator(caller);
    return this.write(async (manager) => {
      const { id: subscription, name } = await this.lockOrFail(manager, id);
      const event: NewEvent = { type: testEventType, data: { subscription: name }, origin: null };
      const added = (await this.deliveries.add(manager, event, [subscription])) ?? '';
      await this.record(manager, caller, 'test', { id: subscription, after: { event_id: added } });
      return this.deliveryOrFail(manager, subscription, added);
    });
  }

  /** Returns a page of the deliveries to a subscription, newest first. */
  async searchDeliveries(caller: Principal, id: string, query: SearchEventDeliveries): Promise<EventDeliveryPage> {
    requireAdministrator(caller);
    const { id: subscription } = await this.get(caller, id);
    return this.deliveries.search(subscription, query);
  }

  /** Sends an event again, under the same `webhook-id`. @throws UnknownRecordError if the delivery does not exist */
  async sendAgain(caller: Principal, id: string, eventId: string): Promise<EventDeliveryResponse> {
    requireAdministrator(caller);
    return this.write(async (manager) => {
      const { id: subscription } = await this.lockOrFail(manager, id);
      await this.deliveryOrFail(manager, subscription, eventId);
      await this.deliveries.restart(manager, subscription, eventId);
      await this.record(manager, caller, 'send-again', { id: subscription, after: { event_id: eventId } });
      return this.deliveryOrFail(manager, subscription, eventId);
    });
  }

  private async lockOrFail(manager: EntityManager, id: string): Promise<EventSubscriptionResponse> {
    return this.foundOrFail(id, await this.repository.lock(manager, parseRecordId(word, id)));
  }

  private foundOrFail(id: string, row: EventSubscriptionResponse | undefined): EventSubscriptionResponse {
    if (!row) throw new UnknownRecordError(word, id);
    return row;
  }

  private async deliveryOrFail(manager: EntityManager, id: number, eventId: string): Promise<EventDeliveryResponse> {
    const found = isUUID(eventId) ? await this.deliveries.find(manager, id, eventId) : undefined;
    if (!found) throw new UnknownRecordError('event', eventId);
    return found;
  }

  private record(
    manager: EntityManager,
    caller: Principal,
    action: string,
    { id, before, after }: { id: number; before?: object; after?: object },
  ): Promise<void> {
    return this.audit.record(manager, { actor: actorOf(caller), action, resource, recordId: id, before, after });
  }

  private async write<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.catalog.write(({ manager }) => work(manager));
    } catch (error) {
      if (violatedConstraint(error) !== 'event_subscriptions_name_key') throw error;
      throw new InvalidInputError([{ field: 'name', problem: 'must be a name that no other subscription has' }]);
    }
  }
}

function columnsOf({ name, url, types }: SubscriptionColumns): SubscriptionColumns {
  return { name, url, types };
}

/** Returns the members for the audit trail. The query of a URL may contain a secret, so it is left out. */
function auditedOf({ name, url, types }: SubscriptionColumns): SubscriptionColumns {
  return { name, url: url.replace(/\?.*/s, '?…'), types };
}
