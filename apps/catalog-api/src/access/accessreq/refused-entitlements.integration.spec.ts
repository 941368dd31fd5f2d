import {
  addDatasets,
  claimOf,
  outcomesOf,
  permissionsOf,
  postEntitlements,
  someone,
  webhookOn,
} from '../../../test/access-requests.js';
import {
  startAccessRequestServer,
  type AccessRequestServer,
  type SystemRow,
} from '../../../test/access-request-system.js';
import type { CatalogSchema } from '../../../../../test/support/documented-body.ts';
import { administered, type Administered } from '../../../test/administered.js';
import { RefusedEntitlementsRepository } from './refused-entitlements.repository.js';

const path = '/api/admin/refused-entitlements';
const past = '2020-01-01T00:00:00.000Z';
const future = '2100-01-01T00:00:00.000Z';

describe(`${path} without an access-request system to ask`, () => {
  let catalog: Administered;

  beforeAll(async () => {
    catalog = await administered([], webhookOn);
    await addDatasets(catalog);
  });

  beforeEach(() => catalog.dataSource.query('TRUNCATE refused_entitlements'));

  afterAll(() => catalog.stop());

  const claim = (user: string, end: string | null, resource = 'RDC_1'): object => ({
    ...{ application: 1, resource, user, mail: 'somebody@example.org', end },
  });
  const list = async (query = ''): Promise<CatalogSchema<'RefusedEntitlementResponse'>[]> =>
    (await catalog.send('GET', `${path}?${query}`)).body.items;
  const onlyOne = async (): Promise<CatalogSchema<'RefusedEntitlementResponse'>> => {
    const [refused, ...others] = await list();
    if (!refused || others.length > 0) throw new Error(`There are ${String(others.length + (refused ? 1 : 0))}.`);
    return refused;
  };
  const retry = async (id: number): Promise<unknown> =>
    (await catalog.send('POST', `${path}/${String(id)}/retry`)).body;

  it.each([
    ['GET', ''],
    ['GET', '/1'],
    ['POST', '/1/retry'],
    ['DELETE', '/1'],
  ])('should refuse %s %s for every caller except administrators', async (method, rest) => {
    expect(await catalog.refusals(method, `${path}${rest}`)).toEqual(catalog.allRefused);
  });

  it('should store a claim on an unknown dataset once, without an e-mail address, when it is repeated', async () => {
    const user = someone();
    await postEntitlements(catalog, [claim(user, future, 'RDC_404')]);
    await postEntitlements(catalog, [claim(user, null, 'RDC_404'), claim(user, future)]);
    const refused = await onlyOne();
    expect(refused).toEqual({
      id: refused.id,
      application: 1,
      resource: 'RDC_404',
      resource_known: false,
      subject: user,
      ends: [null],
      reason: 'unknown_resource',
      posts: 2,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
    expect((await catalog.send('GET', `${path}/${String(refused.id)}`)).body).toEqual(refused);
  });

  it('should apply a claim and remove it from the list when it is retried after the dataset was created', async () => {
    const user = someone();
    await postEntitlements(catalog, [claim(user, future, 'RDC_77')]);
    const { id } = await onlyOne();
    expect(await retry(id)).toEqual({ outcome: 'unknown_resource', done: false });
    await catalog.dataSource.query(
      `INSERT INTO datasets (id, external_id, name, uuid) VALUES (77, 'RDC_77', 'Late', gen_random_uuid())`,
    );
    expect(await list()).toMatchObject([{ posts: 2, resource_known: true }]);
    expect(await retry(id)).toEqual({ outcome: 'granted', done: true });
    expect(await list()).toEqual([]);
    expect(await catalog.trail('refused_entitlements', id)).toEqual(['retry', 'retry']);
    const rows = await catalog.dataSource.query<unknown[]>('SELECT status FROM accesses WHERE subject = $1', [user]);
    expect(rows).toEqual([{ status: 'active' }]);
  });

  it('should store a delayed grant as stale, and remove it when a later post is applied', async () => {
    const user = someone();
    await outcomesOf(catalog, [claim(user, past)]);
    expect(await outcomesOf(catalog, [claim(user, future)])).toEqual(['stale']);
    const { id } = await onlyOne();
    expect(await retry(id)).toEqual({ outcome: 'stale', done: false });
    expect(await permissionsOf(catalog, user)).toEqual([]);
    expect(await outcomesOf(catalog, [claim(user, past), claim(user, future)])).toEqual(['granted', 'granted']);
    expect(await list()).toEqual([]);
  });

  it('should not replace a stored end by a delayed grant while the dataset does not exist', async () => {
    const user = someone();
    await postEntitlements(catalog, [claim(user, past, 'RDC_404')]);
    await postEntitlements(catalog, [claim(user, future, 'RDC_404')]);
    expect((await onlyOne()).ends).toEqual([past]);
    await postEntitlements(catalog, [claim(user, past, 'RDC_404'), claim(user, future, 'RDC_404')]);
    expect((await onlyOne()).ends).toEqual([past, future]);
  });

  it('should list refused entitlements by reason, person and dataset, newest first, in pages', async () => {
    const [one, two] = [someone(), someone()];
    await outcomesOf(catalog, [claim(one, past)]);
    await outcomesOf(catalog, [claim(one, future)]);
    await postEntitlements(catalog, [claim(one, future, 'RDC_404'), claim(two, future, 'RDC_405')]);
    const resources = async (query: string): Promise<string[]> => (await list(query)).map(({ resource }) => resource);
    expect(await resources('')).toEqual(['RDC_405', 'RDC_404', 'RDC_1']);
    expect(await resources('reason=stale')).toEqual(['RDC_1']);
    expect(await resources(`subject=${one}`)).toEqual(['RDC_404', 'RDC_1']);
    expect(await resources('resource=RDC_405')).toEqual(['RDC_405']);
    const { body } = await catalog.send('GET', `${path}?limit=2`);
    expect(body.total).toBe(3);
    expect(await resources(`limit=2&cursor=${String(body.next_cursor)}`)).toEqual(['RDC_1']);
    expect(await catalog.fieldsRefused('GET', `${path}?reason=bad`)).toEqual(['reason']);
  });

  it('should remove a claim from the list, and answer 404 when the claim does not exist', async () => {
    await postEntitlements(catalog, [claim(someone(), future, 'RDC_404')]);
    const { id } = await onlyOne();
    expect((await catalog.send('DELETE', `${path}/${String(id)}`)).status).toBe(204);
    expect(await catalog.trail('refused_entitlements', id)).toEqual(['remove']);
    for (const [method, rest] of [
      ['DELETE', ''],
      ['GET', ''],
      ['POST', '/retry'],
    ] as const) {
      expect((await catalog.send(method, `${path}/${String(id)}${rest}`)).status).toBe(404);
      expect((await catalog.send(method, `${path}/none${rest}`)).status).toBe(404);
    }
  });

  it('should remove claims without a post for 90 days, and the oldest claims above 10,000', async () => {
    await catalog.dataSource.query(
      `INSERT INTO refused_entitlements (application, resource, subject, ends, reason, updated_at)
       SELECT n, 'RDC_404', 'many', '{NULL}'::timestamptz[], 'unknown_resource', now() - n * interval '1 minute'
         FROM generate_series(1, 10005) AS n
       UNION ALL SELECT 1, 'RDC_404', 'long ago', '{NULL}', 'unknown_resource', now() - interval '91 days'`,
    );
    await catalog.app.get(RefusedEntitlementsRepository).removeOld();
    const [left] = await catalog.dataSource.query<unknown[]>(
      'SELECT count(*)::integer AS count, max(application) AS oldest FROM refused_entitlements',
    );
    expect(left).toEqual({ count: 10_000, oldest: 10_000 });
  });
});

describe(`${path} with an access-request system to ask`, () => {
  let system: AccessRequestServer;
  let catalog: Administered;

  beforeAll(async () => {
    system = await startAccessRequestServer();
    catalog = await administered([], { ...webhookOn, ...system.settings });
    await addDatasets(catalog);
  });

  afterEach(async () => {
    system.fail(null);
    system.rows.length = 0;
    await catalog.dataSource.query('TRUNCATE refused_entitlements');
  });

  afterAll(async () => {
    await catalog.stop();
    await system.stop();
  });

  const claim = (user: string): SystemRow => claimOf(user, future);
  const list = async (): Promise<CatalogSchema<'RefusedEntitlementResponse'>[]> =>
    (await catalog.send('GET', path)).body.items;

  it('should store a refuted claim, and grant it when it is confirmed', async () => {
    expect(await outcomesOf(catalog, [claim('ada')])).toEqual(['refuted']);
    const [refused] = await list();
    expect(refused).toMatchObject({ subject: 'ada', reason: 'refuted', ends: [future] });
    const retry = async (): Promise<unknown> =>
      (await catalog.send('POST', `${path}/${String(refused?.id)}/retry`)).body;
    expect(await retry()).toEqual({ outcome: 'refuted', done: false });
    system.rows.push(claim('ada'));
    expect(await retry()).toEqual({ outcome: 'granted', done: true });
    expect(await list()).toEqual([]);
    expect(await permissionsOf(catalog, 'ada')).toEqual(['RDC_1']);
  });

  it('should return what a grant waits for, and list the grant as refused when a retry refutes it', async () => {
    system.fail(500);
    expect(await outcomesOf(catalog, [claim('bob')])).toEqual(['unconfirmed']);
    const { body } = await catalog.send('GET', '/api/admin/accesses?status=precreated');
    expect(body.items).toMatchObject([{ waits_for: 'confirmation' }]);
    system.fail(null);
    const retried = await catalog.send('POST', `/api/admin/accesses/${String(body.items[0]?.id)}/retry`);
    expect(retried.body).toMatchObject({ status: 'terminated', waits_for: null });
    expect(await list()).toMatchObject([{ subject: 'bob', reason: 'refuted', ends: [future] }]);
  });
});
