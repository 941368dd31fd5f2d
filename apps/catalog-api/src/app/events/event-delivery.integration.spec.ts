import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { answerWith, eventually, startReceiver, type EventReceiver } from '../../../test/event-receiver.js';
import { subscribedCatalog, subscriptionsPath, type SubscribedCatalog } from '../../../test/subscribed-catalog.js';
import { EventTurn } from './event-turn.js';
import { OutboxSweep } from './outbox.sweep.js';

describe(EventTurn.name, () => {
  let catalog: SubscribedCatalog;
  let receiver: EventReceiver;

  beforeAll(async () => {
    catalog = await subscribedCatalog();
  });

  afterAll(() => catalog.stop());

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await catalog.clear();
    receiver.stop();
  });

  it('should sign with both secrets during a rotation, and with the new secret afterwards', async () => {
    const { id, secret } = await catalog.subscribe(receiver.url);
    const second = await catalog.rotate(id, 600);
    await catalog.sendTest(id);
    const [event] = await receiver.arrived('test');
    const isSigned = (by: string, at = event): boolean => {
      try {
        new Webhook(by).verify(at?.text ?? '', at?.headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    expect([isSigned(secret), isSigned(second)]).toEqual([true, true]);
    const third = await catalog.rotate(id, 0);
    await catalog.sendTest(id);
    const last = (await receiver.arrived('test', 2))[1];
    expect([secret, second, third].map((each) => isSigned(each, last))).toEqual([false, false, true]);
  });

  it('should send an event again under the same id when the receiver fails, and show each state', async () => {
    const { id } = await catalog.subscribe(receiver.url);
    receiver.answer = answerWith(503);
    await catalog.sendTest(id);
    const failed = await catalog.delivery(id, ({ last_status }) => last_status === 503);
    expect(failed).toMatchObject({ state: 'pending', attempts: 1, last_error: 'The receiver answered 503.' });
    expect((await catalog.read(id))['failing_since']).not.toBeNull();
    receiver.answer = answerWith(200);
    await eventually(async () => {
      await catalog.dataSource.query('UPDATE event_deliveries SET next_attempt_at = now()');
      return (await catalog.deliveries(id))[0]?.state === 'delivered' ? true : undefined;
    });
    expect(new Set(receiver.events.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed.event_id]));
    expect(await catalog.read(id)).toMatchObject({ failing_since: null, waiting: 0 });
    const again = await catalog.send('POST', `${subscriptionsPath}/${String(id)}/deliveries/${failed.event_id}/send`);
    expect(again.body).toMatchObject({ state: 'pending', attempts: 0 });
    await receiver.arrived('test', 3);
    expect(await catalog.delivery(id, ({ state }) => state === 'delivered')).toMatchObject({
      attempts: 1,
      last_error: null,
    });
    expect(await catalog.deliveries(id, '?state=failed')).toEqual([]);
  });

  it.each([
    ['a redirect', answerWith(302, { Location: 'http://127.0.0.1:9/' }), /Redirects are not followed/],
    ['a connection without an answer', (response) => void response.destroy(), /unreachable: ECONNRESET/],
  ])('should count %s as a failure', async (_, answer, problem) => {
    const { id } = await catalog.subscribe(receiver.url);
    receiver.answer = answer;
    await catalog.sendTest(id);
    const { state, last_error } = await catalog.delivery(id, (found) => found.last_error !== null);
    expect(state).toBe('pending');
    expect(last_error).toMatch(problem);
  });

  it('should refuse the address when a name resolves to an address that is not allowed', async () => {
    const { id } = await catalog.subscribe(receiver.url.replace('127.0.0.1', 'localhost'));
    await catalog.dataSource.query(`UPDATE event_subscriptions SET url = replace(url, 'localhost', '127.0.0.2')`);
    await catalog.sendTest(id);
    const { last_error } = await catalog.delivery(id, (found) => found.last_error !== null);
    expect(last_error).toMatch(/^The address of 127\.0\.0\.2 is refused: 127\.0\.0\.2 is not public\./);
    expect(receiver.events).toEqual([]);
  });

  it('should pause the subscription when the receiver answers 410', async () => {
    const { id } = await catalog.subscribe(receiver.url);
    receiver.answer = answerWith(410);
    await catalog.sendTest(id);
    await eventually(async () => ((await catalog.read(id))['paused_at'] === null ? undefined : true));
    expect(await catalog.read(id)).toMatchObject({ pause_reason: 'gone', waiting: 1 });
    const resumed = await catalog.send('PATCH', `${subscriptionsPath}/${String(id)}`, { paused: false });
    expect(resumed.body).toMatchObject({ paused_at: null, pause_reason: null, failing_since: null });
  });

  it('should fail an event and pause the subscription when the receiver is down for days', async () => {
    const { id } = await catalog.subscribe(receiver.url);
    receiver.answer = answerWith(500);
    await catalog.sendTest(id);
    await catalog.delivery(id, ({ last_status }) => last_status === 500);
    await catalog.dataSource.query(`
      UPDATE event_subscriptions SET failing_since = now() - interval '6 days', resume_at = now();
      UPDATE event_deliveries SET started_at = now() - interval '6 days', next_attempt_at = now()`);
    await eventually(async () => ((await catalog.read(id))['pause_reason'] === 'failures' ? true : undefined));
    expect(await catalog.deliveries(id)).toMatchObject([{ state: 'failed', attempts: 2, last_status: 500 }]);
    const sweep = catalog.app.get(OutboxSweep);
    await sweep.check();
    expect(await (await catalog.fetch('/metrics')).text()).toMatch(/catalog_event_subscriptions_stopped\S* 1\n/);
    await catalog.sendTest(id);
    await catalog.dataSource.query(
      `UPDATE event_deliveries SET started_at = now() - interval '6 days' WHERE state = 'pending'`,
    );
    await sweep.check();
    expect(await catalog.deliveries(id, '?state=pending')).toEqual([]);
  });

  it('should keep events during a pause and send them, oldest first, afterwards', async () => {
    const { id } = await catalog.subscribe(receiver.url);
    await catalog.send('PATCH', `${subscriptionsPath}/${String(id)}`, { paused: true });
    const sent = [await catalog.sendTest(id), await catalog.sendTest(id), await catalog.sendTest(id)];
    await pause(1_500);
    expect(receiver.events).toEqual([]);
    await catalog.send('PATCH', `${subscriptionsPath}/${String(id)}`, { paused: false });
    await receiver.arrived('test', 3);
    expect(receiver.events.map(({ headers }) => headers['webhook-id'])).toEqual(sent.map(({ event_id }) => event_id));
    expect(await catalog.trail('event-subscriptions', id)).toEqual([
      'create',
      'pause',
      'test',
      'test',
      'test',
      'resume',
    ]);
  });

  it('should not delay other receivers when one receiver does not answer', async () => {
    const slow = await catalog.subscribe(receiver.url);
    receiver.answer = () => undefined;
    await catalog.sendTest(slow.id);
    await receiver.arrived('test');
    const other = await startReceiver();
    const quick = await catalog.subscribe(other.url);
    await catalog.sendTest(quick.id);
    await other.arrived('test');
    other.stop();
    expect(await catalog.deliveries(slow.id)).toMatchObject([{ state: 'pending', attempts: 1, last_error: null }]);
  });

  it('should remove old events, and the deliveries of a removed subscription', async () => {
    const kept = await catalog.subscribe(receiver.url);
    const removed = await catalog.subscribe(receiver.url);
    await catalog.sendTest(kept.id);
    await catalog.delivery(kept.id, ({ state }) => state === 'delivered');
    await catalog.send('PATCH', `${subscriptionsPath}/${String(removed.id)}`, { paused: true });
    await catalog.sendTest(removed.id);
    expect((await catalog.send('DELETE', `${subscriptionsPath}/${String(removed.id)}`)).status).toBe(204);
    const sweep = catalog.app.get(OutboxSweep);
    await sweep.remove();
    expect(await catalog.dataSource.query('SELECT subscription_id AS id FROM event_deliveries')).toEqual([
      { id: kept.id },
    ]);
    await catalog.dataSource.query(`UPDATE events SET created_at = now() - interval '31 days'`);
    await sweep.remove();
    expect(await catalog.dataSource.query('SELECT FROM events')).toEqual([]);
  });
});
