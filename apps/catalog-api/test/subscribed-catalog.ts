import { administered, type Administered } from './administered.js';
import { eventually } from './event-receiver.js';
import { eventTypes } from '../src/app/events/event-types.js';

/** The path of the administration of event subscriptions. */
export const subscriptionsPath = '/api/admin/event-subscriptions';

/** The compared parts of a new subscription. */
export interface Subscription {
  readonly id: number;
  readonly secret: string;
}

/** The compared parts of a delivery. */
export interface Delivery {
  readonly event_id: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

/** A running catalog that may send events to the loopback address, with functions about subscriptions. */
export interface SubscribedCatalog extends Administered {
  /** Subscribes a receiver to all events. */
  subscribe(url: string, input?: object): Promise<Subscription>;
  read(id: number): Promise<Readonly<Record<string, unknown>>>;
  deliveries(id: number, query?: string): Promise<readonly Delivery[]>;
  /** Returns a delivery as soon as it fits a condition. */
  delivery(id: number, fits: (found: Delivery) => boolean): Promise<Delivery>;
  sendTest(id: number): Promise<Delivery>;
  rotate(id: number, overlapSeconds: number): Promise<string>;
  /** Grants an access to RDC_1. @returns the id */
  grant(): Promise<number>;
  /** Removes subscriptions, events and accesses. */
  clear(): Promise<void>;
}

/** Starts a catalog with a dataset, a user and an endpoint. */
export async function subscribedCatalog(settings: Readonly<Record<string, string>> = {}): Promise<SubscribedCatalog> {
  const catalog = await administered(
    [
      { record: 'user', id: 1, first_name: 'Ada', last_name: 'Byron', subject: 'kc-ada' },
      { record: 'dataset', id: 1, external_id: 'RDC_1', uuid: '6f0e8a52-0000-4000-8000-000000000001', name: 'Genomes' },
      { record: 'endpoint', id: 1, name: 'Portal' },
    ],
    { EVENT_ALLOWED_ADDRESSES: '127.0.0.1', ...settings },
  );
  let names = 0;
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { status, body: answer } = await catalog.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answered ${String(status)}: ${JSON.stringify(answer)}`);
    return answer as T;
  };
  const pathOf = (id: number): string => `${subscriptionsPath}/${String(id)}`;
  const deliveries = async (id: number, query = ''): Promise<readonly Delivery[]> =>
    (await send<{ items: Delivery[] }>('GET', `${pathOf(id)}/deliveries${query}`)).items;
  return {
    ...catalog,
    subscribe: (url, input = {}) =>
      send('POST', subscriptionsPath, { name: `receiver ${String((names += 1))}`, url, types: eventTypes, ...input }),
    read: (id) => send('GET', pathOf(id)),
    deliveries,
    delivery: (id, fits) => eventually(async () => (await deliveries(id)).find(fits)),
    sendTest: (id) => send('POST', `${pathOf(id)}/test`),
    rotate: async (id, overlap_seconds) =>
      (await send<Subscription>('POST', `${pathOf(id)}/rotate`, { overlap_seconds })).secret,
    grant: async () => (await send<{ id: number }>('POST', '/api/admin/accesses', { dataset: 'RDC_1', user_id: 1 })).id,
    clear: async () => {
      await catalog.dataSource.query('DELETE FROM event_subscriptions; DELETE FROM events; DELETE FROM accesses');
    },
  };
}
