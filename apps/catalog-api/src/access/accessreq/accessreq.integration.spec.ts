import { jest } from '@jest/globals';
import { Client } from 'pg';
import { addDatasets, outcomesOf, permissionsOf, postEntitlements, webhookOn } from '../../../test/access-requests.js';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { startServer } from '../../app/server.js';

const past = '2020-01-01T00:00:00.000Z';
const future = '2100-01-01T00:00:00.000Z';

describe('POST /api/accessreq without an identity provider', () => {
  let catalog: RunningCatalog;
  let people = 0;

  beforeAll(async () => {
    catalog = await startCatalog(webhookOn);
    await addDatasets(catalog);
  });

  afterAll(() => catalog.stop());

  const someone = (): string => `person-${String(++people)}`;
  const claim = (user: string, end: string | null, application = 1): object => ({
    application,
    resource: 'RDC_1',
    user,
    mail: null,
    end,
  });

  it('should grant the entitlements of an array and of a single element, and answer 200', async () => {
    const user = someone();
    const [status, answer] = await postEntitlements(catalog, [claim(user, future)]);
    expect([status, answer]).toEqual([
      200,
      { status: 'Success', results: [{ index: 0, application: 1, resource: 'RDC_1', user, outcome: 'granted' }] },
    ]);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
    const single = someone();
    const [, { results }] = await postEntitlements(catalog, {
      ...claim(single, null),
      email: 'x@example.org',
      other: 1,
    });
    expect(results?.[0]?.outcome).toBe('granted');
    expect(await postEntitlements(catalog, [])).toEqual([200, { status: 'Success', results: [] }]);
  });

  it('should prolong, shorten, repeat and revoke the access of an entitlement', async () => {
    const user = someone();
    expect(await outcomesOf(catalog, [claim(user, future)])).toEqual(['granted']);
    expect(await outcomesOf(catalog, [claim(user, future)])).toEqual(['unchanged']);
    expect(await outcomesOf(catalog, [claim(user, '2099-12-31T23:00:00-01:00')])).toEqual(['unchanged']);
    expect(await outcomesOf(catalog, [claim(user, '2101-01-01T00:00:00Z')])).toEqual(['prolonged']);
    expect(await outcomesOf(catalog, [claim(user, '2090-01-01T12:00:00+05:30')])).toEqual(['shortened']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
    expect(await outcomesOf(catalog, [claim(user, new Date().toISOString())])).toEqual(['revoked']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
    const rows = await catalog.dataSource.query<unknown[]>('SELECT id FROM accesses WHERE subject = $1', [user]);
    expect(rows).toHaveLength(1);
    const actions = await catalog.dataSource.query<{ action: string }[]>(
      `SELECT action FROM audit_entries WHERE resource = 'accesses'
          AND record_id = (SELECT id::text FROM accesses WHERE subject = $1) ORDER BY id`,
      [user],
    );
    expect(actions.map(({ action }) => action)).toEqual(['granted', 'prolonged', 'shortened', 'revoked']);
  });

  it('should not revive an access by a delayed grant after the sender ended the access', async () => {
    const user = someone();
    await outcomesOf(catalog, [claim(user, null)]);
    expect(await outcomesOf(catalog, [claim(user, past)])).toEqual(['revoked']);
    expect(await outcomesOf(catalog, [claim(user, past)])).toEqual(['unchanged']);
    expect(await outcomesOf(catalog, [claim(user, null)])).toEqual(['stale']);
    expect(await outcomesOf(catalog, [claim(user, '2019-01-01'), claim(user, null)])).toEqual(['stale', 'stale']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
    expect(await outcomesOf(catalog, [claim(user, past), claim(user, future)])).toEqual(['granted', 'granted']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
  });

  it('should store a revocation that arrives before its grant', async () => {
    const user = someone();
    expect(await outcomesOf(catalog, [claim(user, past)])).toEqual(['revoked']);
    expect(await outcomesOf(catalog, [claim(user, future)])).toEqual(['stale']);
    expect(await permissionsOf(catalog, user)).toEqual([]);
  });

  it('should apply the default term to a grant without end, and keep the end when the grant is repeated', async () => {
    const user = someone();
    await outcomesOf(catalog, [claim(user, null)]);
    const endOf = async (): Promise<Date> =>
      (
        await catalog.dataSource.query<[{ expires_at: Date }]>('SELECT expires_at FROM accesses WHERE subject = $1', [
          user,
        ])
      )[0].expires_at;
    const end = await endOf();
    expect(Math.abs(end.getTime() - Date.now() - 90 * 86_400_000)).toBeLessThan(60_000);
    expect(await outcomesOf(catalog, [claim(user, null)])).toEqual(['unchanged']);
    expect(await endOf()).toEqual(end);
  });

  it('should apply the latest end of several elements of one entitlement', async () => {
    const user = someone();
    expect(await outcomesOf(catalog, [claim(user, future), claim(user, past), claim(user, future)])).toEqual([
      'granted',
      'granted',
      'granted',
    ]);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
  });

  it('should keep the accesses of two applications separate', async () => {
    const user = someone();
    await outcomesOf(catalog, [claim(user, future, 1), claim(user, future, 2)]);
    await outcomesOf(catalog, [claim(user, past, 1)]);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
  });

  it('should store one row when many posts of one entitlement arrive at the same time', async () => {
    const user = someone();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcomesOf(catalog, [claim(user, future)])));
    expect(outcomes.flat().filter((outcome) => outcome === 'granted')).toHaveLength(1);
    expect(outcomes.flat().filter((outcome) => outcome === 'unchanged')).toHaveLength(11);
  });

  it('should serialise the decisions of two replicas about one entitlement', async () => {
    const replica = await startServer(catalog.environment);
    const { port } = replica.getHttpServer().address() as { port: number };
    const there = {
      ...catalog,
      fetch: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${String(port)}${path}`, init),
    };
    for (let time = 0; time < 10; time++) {
      const user = someone();
      const [here, elsewhere] = await Promise.all([
        outcomesOf(catalog, [claim(user, future)]),
        outcomesOf(there, [claim(user, past)]),
      ]);
      expect([
        ['granted', 'revoked'],
        ['stale', 'revoked'],
      ]).toContainEqual([...here, ...elsewhere]);
      expect(await permissionsOf(catalog, user)).toEqual([]);
      const rows = await catalog.dataSource.query<unknown[]>('SELECT 1 FROM accesses WHERE subject = $1', [user]);
      expect(rows).toHaveLength(1);
    }
    await replica.close();
  });

  it('should apply the valid elements and answer 400 with every outcome when a dataset is unknown', async () => {
    const user = someone();
    const [status, { more }] = await postEntitlements(catalog, [
      { ...claim(user, future), resource: 'RDC_404' },
      claim(user, future),
    ]);
    expect(status).toBe(400);
    expect(more?.code).toBe('accessreq.unknown_resource');
    expect(more?.results?.map(({ outcome }) => outcome)).toEqual(['unknown_resource', 'granted']);
    expect(await permissionsOf(catalog, user)).toEqual(['RDC_1']);
  });

  it('should shorten the message when many datasets are unknown', async () => {
    const [refused, { description, more }] = await postEntitlements(catalog, new Array(5000).fill(7));
    expect([refused, more?.fields?.length]).toEqual([400, 1000]);
    expect(description?.length).toBeLessThan(1000);
    const unknown = Array.from({ length: 30 }, (_, n) => ({
      ...claim('ada', null),
      resource: `RDC_9${String(n + 10)}`,
    }));
    const [, answer] = await postEntitlements(catalog, unknown);
    expect(answer.description).toMatch(
      /^These datasets do not exist: RDC_910, .*RDC_919 and 20 others\. The other elements/,
    );
  });

  it('should send the same number of statements for 500 elements as for one', async () => {
    const query = jest.spyOn(Client.prototype, 'query');
    try {
      const asked: number[] = [];
      for (const count of [1, 500]) {
        const before = query.mock.calls.length;
        const outcomes = await outcomesOf(
          catalog,
          Array.from({ length: count }, () => claim(someone(), future)),
        );
        expect(new Set(outcomes)).toEqual(new Set(['granted']));
        // Background jobs send statements by other connections.
        const calls = query.mock.contexts.slice(before);
        const texts = query.mock.calls.slice(before).map(([statement]) => statement as unknown);
        const client = calls[texts.indexOf('START TRANSACTION')];
        asked.push(calls.filter((each) => each === client).length);
      }
      expect(asked[1]).toBe(asked[0]);
    } finally {
      query.mockRestore();
    }
  });

  it('should apply more elements than one batch, and report them as unchanged when they are repeated', async () => {
    const claims = Array.from({ length: 1_001 }, () => claim(someone(), future));
    const unknown = claims.map((each, at) => (at === 700 ? { ...each, resource: 'RDC_404' } : each));
    const [status, { more }] = await postEntitlements(catalog, unknown);
    expect(status).toBe(400);
    expect(more?.results?.map(({ outcome }) => outcome)).toEqual(
      claims.map((_, at) => (at === 700 ? 'unknown_resource' : 'granted')),
    );
    expect(await outcomesOf(catalog, claims)).toEqual(claims.map((_, at) => (at === 700 ? 'granted' : 'unchanged')));
  });

  it('should apply the other elements when the database rejects one element', async () => {
    const [good, bad, other] = [someone(), someone(), someone()];
    await catalog.dataSource.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON accesses FOR EACH ROW WHEN (NEW.subject = '${bad}') EXECUTE FUNCTION refuse()`);
    const [status] = await postEntitlements(
      catalog,
      [good, bad, other].map((user) => claim(user, future)),
    );
    await catalog.dataSource.query('DROP FUNCTION refuse CASCADE');
    expect(status).toBe(500);
    expect(await Promise.all([good, bad, other].map((user) => permissionsOf(catalog, user)))).toMatchObject([
      ['RDC_1'],
      { status: 'Error' },
      ['RDC_1'],
    ]);
  });

  it('should store each entitlement once when two large bodies with the same entitlements arrive at the same time', async () => {
    const people = Array.from({ length: 300 }, someone);
    const bodies = [people, people.toReversed()].map((each) => each.map((user) => claim(user, future)));
    const outcomes = await Promise.all(bodies.map((body) => outcomesOf(catalog, body)));
    expect(outcomes.flat().filter((outcome) => outcome === 'granted')).toHaveLength(people.length);
    expect(outcomes.flat().filter((outcome) => outcome === 'unchanged')).toHaveLength(people.length);
  });

  it.each([
    ['no body', '', 'input.not_json', undefined],
    ['no JSON', '{"application":', 'input.not_json', undefined],
    ['a NUL', '[{"user":"\\u0000"}]', 'input.not_json', undefined],
    ['half of a character', '[{"application":1,"resource":"RDC_1","user":"\\ud83d"}]', 'input.not_json', undefined],
    ['text', '"text"', 'input.invalid', '[0]'],
    ['null', 'null', 'input.invalid', '[0]'],
    ['an array in it', '[[]]', 'input.invalid', '[0]'],
    ['no application', '[{"resource":"RDC_1","user":"u","end":null}]', 'input.invalid', '[0].application'],
    [
      'a text as application',
      '[{"application":"1","resource":"RDC_1","user":"u"}]',
      'input.invalid',
      '[0].application',
    ],
    ['half an application', '[{"application":1.5,"resource":"RDC_1","user":"u"}]', 'input.invalid', '[0].application'],
    ['a huge application', '[{"application":1e12,"resource":"RDC_1","user":"u"}]', 'input.invalid', '[0].application'],
    ['no resource', '[{"application":1,"user":"u"}]', 'input.invalid', '[0].resource'],
    ['no user', '[{"application":1,"resource":"RDC_1","user":""}]', 'input.invalid', '[0].user'],
    ['a number as mail', '[{"application":1,"resource":"RDC_1","user":"u","mail":7}]', 'input.invalid', '[0].mail'],
    ['no date', '[{"application":1,"resource":"RDC_1","user":"u","end":"soon"}]', 'input.invalid', '[0].end'],
    ['no such day', '[{"application":1,"resource":"RDC_1","user":"u","end":"2026-02-30"}]', 'input.invalid', '[0].end'],
    ['a number as end', '[{"application":1,"resource":"RDC_1","user":"u","end":0}]', 'input.invalid', '[0].end'],
  ])('should refuse %s with 400', async (_, body, code, field) => {
    const [status, { more }] = await postEntitlements(catalog, body);
    expect([status, more?.code]).toEqual([400, code]);
    expect(more?.fields?.[0]?.field).toBe(field);
  });

  it('should store nothing of a body with a malformed element, and report its index', async () => {
    const user = someone();
    const [status, { more }] = await postEntitlements(catalog, [
      claim(user, future),
      { ...claim(user, 'later'), application: 2 },
    ]);
    expect([status, more?.fields?.map(({ field }) => field)]).toEqual([400, ['[1].end']]);
    expect(await catalog.dataSource.query('SELECT 1 FROM accesses WHERE subject = $1', [user])).toEqual([]);
  });

  it('should ignore keys, valid or unknown', async () => {
    const [status] = await postEntitlements(catalog, [claim(someone(), future)], {
      'X-API-Key': 'no caller has this key',
    });
    expect(status).toBe(200);
  });
});
