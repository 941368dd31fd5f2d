import { Webhook } from 'standardwebhooks';
import { startReceiver, type EventReceiver } from '../../../test/event-receiver.js';
import { subscribedCatalog, subscriptionsPath, type SubscribedCatalog } from '../../../test/subscribed-catalog.js';
import { ExpirySweep } from '../../access/accesses/expiry.sweep.js';
import { eventTypes } from './event-types.js';

describe(subscriptionsPath, () => {
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

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/1'],
    ['PATCH', '/1'],
    ['DELETE', '/1'],
    ['POST', '/1/rotate'],
    ['POST', '/1/test'],
    ['GET', '/1/deliveries'],
    ['POST', '/1/deliveries/1/send'],
  ])('should refuse %s on %s for every caller except administrators', async (method, rest) => {
    expect(await catalog.refusals(method, `${subscriptionsPath}${rest}`)).toEqual(catalog.allRefused);
  });

  it.each([
    ['url', 'ftp://example.org'],
    ['url', 'example.org/events'],
    ['url', 'https://user:word@example.org'],
    ['url', 'http://127.0.0.2:80'],
    ['url', 'https://10.0.0.1'],
    ['url', 'https://[::1]/'],
    ['url', 'https://169.254.169.254/latest'],
    ['url', 'https://2130706434/'],
    ['types', []],
    ['types', ['access.granted', 'access.granted']],
    ['types', ['unknown']],
    ['name', ''],
  ])('should refuse a subscription when %s is %j', async (field, value) => {
    const input = { name: 'other', url: receiver.url, types: ['access.granted'], [field]: value };
    expect(await catalog.fieldsRefused('POST', subscriptionsPath, input)).toEqual([field]);
  });

  it('should refuse a name in use and more than 50 subscriptions', async () => {
    await catalog.subscribe(receiver.url, { name: 'first' });
    const input = { name: 'first', url: receiver.url, types: eventTypes };
    expect(await catalog.fieldsRefused('POST', subscriptionsPath, input)).toEqual(['name']);
    await catalog.dataSource.query(
      `INSERT INTO event_subscriptions (name, url, secret) SELECT 'many ' || n, '', '' FROM generate_series(2, 50) AS n`,
    );
    expect(await catalog.fieldsRefused('POST', subscriptionsPath, { ...input, name: 'the last' })).toEqual(['name']);
  });

  it('should show the secret once and store only its encrypted form', async () => {
    const { id, secret } = await catalog.subscribe(receiver.url);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(JSON.stringify(await catalog.read(id))).not.toContain('whsec_');
    const stored = await catalog.dataSource.query<unknown[]>('SELECT * FROM event_subscriptions');
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 30));
    const trail = await catalog.dataSource.query<unknown[]>('SELECT * FROM audit_entries');
    expect(JSON.stringify(trail)).not.toContain('whsec_');
  });

  it('should send an event for each step of an access, with ids and without names', async () => {
    const { secret } = await catalog.subscribe(receiver.url);
    const id = await catalog.grant();
    await catalog.send('PATCH', `/api/admin/accesses/${String(id)}`, { expires_at: '2036-01-31T08:00:00.000Z' });
    await catalog.send('PATCH', `/api/admin/accesses/${String(id)}`, { notes: 'no event' });
    await catalog.send('POST', `/api/admin/accesses/${String(id)}/suspend`);
    await catalog.send('POST', `/api/admin/accesses/${String(id)}/resume`);
    await catalog.send('POST', `/api/admin/accesses/${String(id)}/terminate`);
    await receiver.arrived('access.ended', 2);
    expect(receiver.events.map(({ body }) => `${body.type} ${String(body.data['status'])}`)).toEqual([
      'access.granted active',
      'access.changed active',
      'access.ended suspended',
      'access.granted active',
      'access.ended terminated',
    ]);
    expect(receiver.events[1]?.body.data).toEqual({
      ...{ access_id: id, dataset_id: 1, dataset: 'RDC_1', user_id: 1, contact_id: null, application: null },
      ...{ status: 'active', expires_at: '2036-01-31T08:00:00.000Z' },
    });
    for (const { headers, text } of receiver.events) {
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(JSON.parse(text));
      expect(text).not.toMatch(/Ada|Byron|kc-ada/);
    }
  });

  it('should send one event when an access ends by its date', async () => {
    await catalog.subscribe(receiver.url, { types: ['access.ended'] });
    const id = await catalog.grant();
    await catalog.dataSource.query(`UPDATE accesses SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    const sweep = catalog.app.get(ExpirySweep);
    await Promise.all([sweep.sweep(), sweep.sweep()]);
    await sweep.sweep();
    expect((await receiver.arrived('access.ended')).map(({ body }) => body.data['status'])).toEqual(['terminated']);
    expect(await catalog.dataSource.query('SELECT type FROM events')).toEqual([{ type: 'access.ended' }]);
  });

  it('should send events about exposures with the name of the endpoint', async () => {
    await catalog.subscribe(receiver.url, { types: ['exposure.changed'] });
    const exposure = await catalog.send('POST', '/api/datasets/RDC_1/exposures', { endpoint: 'Portal', form_id: 1 });
    await catalog.send(
      'POST',
      `/api/datasets/RDC_1/exposures/${String((exposure.body as { id: number }).id)}/deprecate`,
      {
        reason: 'old',
      },
    );
    const changes = await receiver.arrived('exposure.changed', 2);
    expect(changes.map(({ body: { data } }) => [data['dataset'], data['endpoint'], data['change']])).toEqual([
      ['RDC_1', 'Portal', 'exposed'],
      ['RDC_1', 'Portal', 'deprecated'],
    ]);
  });

  it('should store no event when the transaction is rolled back or no subscription has its type', async () => {
    const { id } = await catalog.subscribe(receiver.url, { types: ['import.rejected'] });
    await catalog.grant();
    await catalog.send('PATCH', `${subscriptionsPath}/${String(id)}`, { types: eventTypes });
    const add = `INSERT INTO accesses (dataset_id, user_id, status) VALUES (1, 1, 'active')`;
    await catalog.dataSource
      .transaction(async (manager) => {
        await manager.query(add);
        const [{ count }] = await manager.query<[{ count: string }]>('SELECT count(*) FROM events');
        expect(count).toBe('1');
        throw new Error('roll back');
      })
      .catch(() => undefined);
    expect(await catalog.dataSource.query('SELECT FROM events')).toEqual([]);
  });

  it('should add one event when the provisioner repeats a report, and refuse unknown members', async () => {
    const { id } = await catalog.subscribe(receiver.url, { types: ['import.rejected'] });
    const report = {
      ...{ type: 'import.rejected', import_id: '01M7ZW7275ACSPZ1JBFGFVCTZY', attempt: 1, kind: 'dataset', id: 'RDC_1' },
      ...{ code: 'checksum.mismatch', finished_at: '2036-01-31T08:00:00.000Z' },
    };
    const { key } = (
      await catalog.send('POST', '/api/admin/service-keys', { name: 'provisioner', scopes: ['storages:write'] })
    ).body as unknown as { key: string };
    for (let times = 0; times < 2; times++) {
      expect((await catalog.send('POST', '/api/import-events', report, key)).status).toBe(204);
    }
    const [event] = await receiver.arrived('import.rejected');
    const { type, ...data } = report;
    expect(event?.body).toEqual({ type, timestamp: expect.any(String) as string, data });
    expect(await catalog.deliveries(id)).toHaveLength(1);
    expect(await catalog.fieldsRefused('POST', '/api/import-events', { ...report, message: 'a' })).toEqual(['message']);
  });
});
