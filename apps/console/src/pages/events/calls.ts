import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import type { ListAnswer } from '../../parts/list-answer.ts';
import type { SearchTexts } from '../../search-texts.ts';

type Schemas = components['schemas'];

/** A receiver of events. */
export type Subscription = Schemas['EventSubscriptionResponse'];
/** The delivery of an event to a receiver. */
export type Delivery = Schemas['EventDeliveryResponse'];
/** The writable members of a subscription. */
export type SubscriptionValues = Schemas['CreateEventSubscription'];

const path = '/api/admin/event-subscriptions';
const pathOf = ({ id }: Pick<Subscription, 'id'>) => ({ path: { id: String(id) } });

/** Returns a page of subscriptions, by the parameters of an address. */
export function searchSubscriptions(query: SearchTexts, signal?: AbortSignal): Promise<ListAnswer<Subscription>> {
  return bodyOf(catalog.GET(path, { params: { query: query as never }, signal }));
}

export function getSubscription(id: string, signal?: AbortSignal): Promise<Subscription> {
  return bodyOf(catalog.GET(`${path}/{id}`, { params: { path: { id } }, signal }));
}

/** Creates a subscription. @returns the subscription with its secret, which no later request returns */
export function createSubscription(body: SubscriptionValues): Promise<Schemas['CreatedEventSubscription']> {
  return bodyOf(catalog.POST(path, { body }));
}

export function updateSubscription(
  subscription: Subscription,
  body: Schemas['UpdateEventSubscription'],
): Promise<Subscription> {
  return bodyOf(catalog.PATCH(`${path}/{id}`, { params: pathOf(subscription), body }));
}

export function removeSubscription(subscription: Subscription): Promise<unknown> {
  return bodyOf(catalog.DELETE(`${path}/{id}`, { params: pathOf(subscription) }));
}

/** Creates another secret, with the usual overlap. @returns the secret, which no later request returns */
export async function rotateSecret(subscription: Subscription): Promise<string> {
  return (await bodyOf(catalog.POST(`${path}/{id}/rotate`, { params: pathOf(subscription), body: {} }))).secret;
}

export function sendTest(subscription: Subscription): Promise<Delivery> {
  return bodyOf(catalog.POST(`${path}/{id}/test`, { params: pathOf(subscription) }));
}

/** Returns the latest deliveries. */
export function latestDeliveries(subscription: Subscription, signal?: AbortSignal): Promise<ListAnswer<Delivery>> {
  return bodyOf(catalog.GET(`${path}/{id}/deliveries`, { params: pathOf(subscription), signal }));
}

export function sendAgain({ id }: Subscription, { event_id }: Delivery): Promise<Delivery> {
  const params = { path: { id: String(id), event_id } };
  return bodyOf(catalog.POST(`${path}/{id}/deliveries/{event_id}/send`, { params }));
}
