import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { builtFile } from '../../../../../scripts/built-service.ts';
import { buildServices } from '../../../../../test/support/service-process.ts';
import { until } from '../../../../../test/support/until.ts';
import { answerWith, startReceiver, type EventReceiver } from '../../../test/event-receiver.js';
import { subscribedCatalog, type SubscribedCatalog } from '../../../test/subscribed-catalog.js';
import { startServer } from '../server.js';
import { EventDispatcher } from './event-dispatcher.js';

const receivers = 20;
const eventsPerReceiver = 500;
const maxGrowthBytes = 32 * 1024 * 1024;

describe(EventDispatcher.name, () => {
  let catalog: SubscribedCatalog;
  let receiver: EventReceiver;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    await buildServices();
    catalog = await subscribedCatalog();
  }, 180_000);

  afterAll(() => catalog.stop());

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await kill();
    await catalog.clear();
    receiver.stop();
  });

  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };

  /** Adds events for each subscription at once. */
  const addEvents = (count: number): Promise<unknown> =>
    catalog.dataSource.query(
      `SELECT add_events(array_agg('access.granted'::text), array_agg(jsonb_build_object('access_id', n)))
         FROM generate_series(1, $1::integer) AS n`,
      [count],
    );

  const countIn = async (state: string): Promise<number> => {
    const [{ count }] = await catalog.dataSource.query<[{ count: string }]>(
      'SELECT count(*) FROM event_deliveries WHERE state = $1',
      [state],
    );
    return Number(count);
  };

  it('should send an event again under the same id when the sender is killed before it records the answer', async () => {
    const own = await subscribedCatalog();
    await own.app.get(EventDispatcher).onApplicationShutdown();
    const { id } = await own.subscribe(receiver.url);
    receiver.answer = () => undefined;
    const env = { ...process.env, ...own.environment };
    child = spawn(process.execPath, [builtFile('catalog-api/dist/main.js')], { env, stdio: 'ignore' });
    await own.sendTest(id);
    await receiver.arrived('test');
    await kill();
    receiver.answer = answerWith(204);
    const replica = await startServer(own.environment);
    try {
      expect((await own.deliveries(id)).map(({ state, attempts }) => [state, attempts])).toEqual([['pending', 1]]);
      await own.dataSource.query(`
        UPDATE event_subscriptions SET leased_until = now();
        UPDATE event_deliveries SET next_attempt_at = now()`);
      await receiver.arrived('test', 2);
      const ids = receiver.events.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(1);
      expect(await own.delivery(id, ({ state }) => state === 'delivered')).toMatchObject({ event_id: ids[0] });
    } finally {
      await replica.close();
      await own.stop();
    }
  }, 120_000);

  it('should send each event once when two replicas run', async () => {
    const replica = await startServer(catalog.environment);
    try {
      await catalog.subscribe(receiver.url);
      await addEvents(300);
      await until(async () => (await countIn('delivered')) === 300);
      expect(receiver.events).toHaveLength(300);
      expect(new Set(receiver.events.map(({ headers }) => headers['webhook-id'])).size).toBe(300);
    } finally {
      await replica.close();
    }
  }, 120_000);

  it('should send 10,000 events with a flat memory', async () => {
    for (let n = 0; n < receivers; n += 1) await catalog.subscribe(receiver.url);
    await addEvents(eventsPerReceiver);
    await until(async () => (await countIn('delivered')) > 1_000);
    receiver.events.length = 0;
    const before = usedHeap();
    await until(async () => {
      receiver.events.length = 0;
      return (await countIn('delivered')) === receivers * eventsPerReceiver;
    }, 240_000);
    expect(usedHeap() - before).toBeLessThan(maxGrowthBytes);
    expect(await countIn('pending')).toBe(0);
  }, 300_000);
});

/** Returns the bytes of the heap after a collection of garbage. */
function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
