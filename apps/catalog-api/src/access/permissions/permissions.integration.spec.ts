import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { keyHasherOf } from '../../people/keys/keys.module.js';
import { catalogSettings } from '../../app/catalog.settings.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';

const ada = 'f3c1b2a4-ada';
const keys = {
  ada: 'ada-key',
  auditor: 'auditor-key',
  legal: 'legal-key',
  nobody: 'nobody-key',
  portal: 'p'.repeat(64),
};

describe('GET /api/permissions/:user_oidc_id', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
    const hasher = keyHasherOf(catalogSettings(catalog.environment).get(SecretsSettings));
    const hash = (key: string): string => hasher.hash(key);
    await catalog.dataSource.query(
      `INSERT INTO users (id, subject, first_name, last_name, roles, key_hash, active) VALUES
         (1, $1, 'Ada', 'Byron', '{}', $2, true), (2, 'auditor', 'An', 'Auditor', '{auditor}', $3, true),
         (3, 'legal', 'Le', 'Gal', '{legal}', $4, true), (4, NULL, 'No', 'Subject', '{}', $5, true),
         (5, 'gone', 'Go', 'Ne', '{}', NULL, false)`,
      [ada, hash(keys.ada), hash(keys.auditor), hash(keys.legal), hash(keys.nobody)],
    );
    await catalog.dataSource.query(
      `INSERT INTO contacts (id, subject, last_name) VALUES (1, $1, 'Byron'), (2, 'guest', 'Guest')`,
      [ada],
    );
    await catalog.dataSource.query(
      `INSERT INTO datasets (id, external_id, name, uuid)
       SELECT n, 'RDC_' || n, 'Dataset ' || n, gen_random_uuid() FROM generate_series(1, 9) AS n`,
    );
    await catalog.dataSource.query(`INSERT INTO endpoints (id, name) VALUES (1, 'Portal'), (2, 'Network')`);
    await catalog.dataSource.query(`INSERT INTO endpoint_keys (endpoint_id, key_hash) VALUES (1, $1)`, [
      hash(keys.portal),
    ]);
    await catalog.dataSource.query(
      `INSERT INTO exposures (dataset_id, endpoint_id, form_id, deprecated_at) VALUES
         (1, 1, 1, NULL), (2, 2, 1, NULL), (3, 1, 1, now()), (4, 1, 1, NULL), (5, 1, 1, NULL), (6, 1, 1, NULL),
         (7, 1, 1, NULL), (8, 1, 1, NULL), (8, 2, 1, NULL)`,
    );
    await catalog.dataSource.query(
      `INSERT INTO accesses (dataset_id, application, subject, user_id, contact_id, status, expires_at) VALUES
         (1, 1, $1, NULL, NULL, 'active', NULL), (1, 2, $1, 1, NULL, 'active', NULL),
         (2, NULL, NULL, 1, NULL, 'active', now() + interval '1 day'),
         (3, NULL, NULL, NULL, 1, 'active', NULL),
         (4, 4, $1, NULL, NULL, 'active', now() - interval '1 millisecond'),
         (5, 5, $1, NULL, NULL, 'precreated', NULL), (6, 6, $1, NULL, NULL, 'suspended', NULL),
         (7, 7, $1, NULL, NULL, 'terminated', NULL), (9, 9, $1, NULL, NULL, 'active', NULL),
         (8, 1, 'gone', 5, NULL, 'active', NULL), (8, 1, 'entitled only', NULL, NULL, 'active', NULL),
         (1, 1, 'ending', NULL, NULL, 'active', NULL), (2, 1, 'ending', NULL, NULL, 'active', NULL)`,
      [ada],
    );
  });

  afterAll(() => catalog.stop());

  const ask = async (subject: string, key?: string): Promise<[number, unknown]> => {
    const response = await catalog.fetch(`/api/permissions/${encodeURIComponent(subject)}`, { key });
    const body = (await response.json()) as { more?: { code: string } };
    return [response.status, body.more ? body.more.code : body];
  };

  it('should return each exposed dataset once that the person may use as user, contact or subject', async () => {
    expect(await ask(ada, globalKey)).toEqual([200, ['RDC_1', 'RDC_2', 'RDC_3']]);
    expect(await ask('entitled only', globalKey)).toEqual([200, ['RDC_8']]);
  });

  it('should return an empty array for a person without access and for a deactivated person', async () => {
    expect(await ask('guest', globalKey)).toEqual([200, []]);
    expect(await ask('gone', globalKey)).toEqual([200, []]);
  });

  it('should answer 404 if no person has the identifier', async () => {
    expect(await ask('nobody', globalKey)).toEqual([404, 'record.unknown']);
    expect(await ask(`' OR '1'='1`, globalKey)).toEqual([404, 'record.unknown']);
    expect(await ask('a\0b', globalKey)).toEqual([404, 'record.unknown']);
    expect(await ask('x'.repeat(1000), globalKey)).toEqual([404, 'record.unknown']);
    expect(await ask('', globalKey)).toEqual([404, 'route.unknown']);
  });

  it('should return only the permissions of its own user to a user key, unless a role allows more', async () => {
    expect(await ask(ada, keys.ada)).toEqual([200, ['RDC_1', 'RDC_2', 'RDC_3']]);
    expect(await ask('guest', keys.ada)).toEqual([403, 'access.denied']);
    expect(await ask('nobody', keys.ada)).toEqual([403, 'access.denied']);
    expect(await ask(ada, keys.legal)).toEqual([403, 'access.denied']);
    expect(await ask(ada, keys.nobody)).toEqual([403, 'access.denied']);
    expect(await ask(ada, keys.auditor)).toEqual([200, ['RDC_1', 'RDC_2', 'RDC_3']]);
  });

  it('should limit the answer for an endpoint to datasets exposed to the endpoint', async () => {
    expect(await ask(ada, keys.portal)).toEqual([200, ['RDC_1', 'RDC_3']]);
  });

  it('should refuse callers without a key, callers with an unknown key, and other methods', async () => {
    expect(await ask(ada)).toEqual([403, 'key.required']);
    expect(await ask(ada, 'unknown')).toEqual([403, 'key.unknown']);
    const remove = await catalog.fetch(`/api/permissions/${ada}`, { method: 'DELETE', key: globalKey });
    expect([remove.status, remove.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('should answer 304 to a caller with the current tag until an access ends', async () => {
    const answer = (etag = ''): Promise<Response> =>
      catalog.fetch('/api/permissions/ending', { key: globalKey, headers: { 'If-None-Match': etag } });
    const { headers } = await answer();
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([
      'private, no-cache',
      expect.stringContaining('X-API-Key'),
    ]);
    const etag = headers.get('etag') ?? '';
    expect((await answer(etag)).status).toBe(304);
    await catalog.dataSource.query(
      `UPDATE accesses SET status = 'terminated' WHERE dataset_id = 2 AND subject = 'ending'`,
    );
    expect((await answer(etag)).status).toBe(200);
  });
});
