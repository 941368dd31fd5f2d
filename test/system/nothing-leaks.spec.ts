import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { layFiles } from '../../apps/provisioner/test/support/delivery.ts';
import { removeTree } from '../../apps/provisioner/src/storage/posix/remove-tree.ts';
import { startScimServer, type ScimServer } from '../../scripts/scim-server.ts';
import { buildServices, migrate, ServiceProcess } from '../support/service-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { noteSecret } from '../support/test-logs.ts';
import { until } from '../support/until.ts';

/** Secrets that no log may contain. */
const secret = {
  globalKey: 'global-key-3f6c1d0b9a7e5c42',
  wrongKey: 'wrong-key-7d1e5b3a9c2f4068',
  wrongKeyInQuery: 'wrong-key-in-query-51f7c3e9',
  malformedKey: 'key-in-malformed-request-2b8d',
  adminPassword: 'the right password 8c4e1f',
  wrongPassword: 'a wrong password 5a7b3d',
  sessionSecret: 'session-secret-6e2f8a4c0b9d7153e1',
  hashSecret: 'hash-secret-1d9b7f3a5c8e',
  scimToken: 'scim-token-0f8e6d4c2b1a',
  requestSystemKey: 'rems-key-a1c3e5079b2d',
  databasePassword: 'database-password-4e6a8c',
  gatewaySecret: 'gateway-secret-9b7d5f31',
};
const person = {
  admin: 'root.admin@people.example',
  adaMail: 'ada.lovelace@people.example',
  ada: 'Lovelace',
  graceMail: 'grace.hopper@people.example',
  grace: 'Hopper',
  subject: 'subject-5f4e3d2c',
  claimMail: 'claimant@people.example',
  stranger: 'stranger@people.example',
  contact: 'Noether',
  contactMail: 'emmy.noether@people.example',
  file: 'scan-of-jane-roe.dcm',
};

/** The begin of a log line about a background task that fails. */
const failedTask = 'background task: ';

const startMs = 400_000;

describe('the logs of the services', () => {
  let folder: string;
  let databases: TestDatabase[];
  let scim: ScimServer;
  let catalog: ServiceProcess;
  let provisioner: ServiceProcess;
  let worker: ServiceProcess;
  const made: string[] = [];
  let written: string;

  beforeAll(async () => {
    [...Object.values(secret), ...Object.values(person)].forEach(noteSecret);
    await buildServices();
    folder = await mkdtemp(join(tmpdir(), 'data-catalog-leaks-'));
    databases = [await createTestDatabase(), await createTestDatabase()];
    scim = await startScimServer(secret.scimToken, [
      { id: 'ada', email: person.adaMail, givenName: 'Ada', familyName: person.ada },
      { id: person.subject, email: person.graceMail, givenName: 'Grace', familyName: person.grace },
    ]);
    await startAll();
    await useCatalog();
    await useProvisioner();
    await breakDependencies();
    const metrics = await Promise.all([catalog, provisioner, worker].map(async ({ url }) => read(`${url}/metrics`)));
    const refusals = await refusedStarts();
    await Promise.all([catalog.end(), provisioner.end(), worker.end()]);
    written = [catalog.output, provisioner.output, worker.output, ...metrics, ...refusals].join('\n');
  }, startMs);

  afterAll(async () => {
    await Promise.all([catalog, provisioner, worker].map((each) => each.end('SIGKILL')));
    await Promise.all(databases.map((database) => database.drop()));
    await removeTree(folder);
  }, startMs);

  const read = async (url: string, init?: RequestInit): Promise<string> => (await fetch(url, init)).text();
  const common = {
    ...{ LOG_LEVEL: 'debug', GLOBAL_API_KEY: secret.globalKey, SESSION_SECRET: secret.sessionSecret },
    GATEWAY_SECRET: secret.gatewaySecret,
  };
  const catalogSettings = (): Record<string, string> => ({
    ...common,
    ...{ DATABASE_URL: databases[0]?.url ?? '', KEY_HASH_SECRET: secret.hashSecret },
    ...{ ADMIN_EMAIL: person.admin, ADMIN_PASSWORD: secret.adminPassword },
    ...{ IDP_PROVIDER: 'scim', SCIM_URL: `${scim.origin}/scim/v2`, SCIM_TOKEN: secret.scimToken },
    ...{ ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '127.0.0.1' },
    ...{
      ACCESSREQ_URL: 'http://127.0.0.1:9',
      ACCESSREQ_API_USER: 'catalog',
      ACCESSREQ_API_KEY: secret.requestSystemKey,
    },
  });

  async function startAll(): Promise<void> {
    const place = (name: string): string => pathToFileURL(join(folder, name)).href;
    await layFiles(join(folder, 'source/SUB-1'), {
      'DS-1/data.csv': 'a',
      'DS-2/md5sums.txt': `${'0'.repeat(32)}  ${person.file}\n`,
      [`DS-2/${person.file}`]: 'b',
    });
    await layFiles(join(folder, 'storage'), {});
    migrate(catalogSettings());
    const settings = {
      ...{ ...common, QUEUE_URL: databases[1]?.url ?? '', SOURCE_SETTLE: '0' },
      ...{ SOURCE_URL: place('source'), STORAGE_URL: place('storage') },
    };
    [catalog, provisioner, worker] = await Promise.all([
      ServiceProcess.start('catalog-api/dist/main.js', catalogSettings()),
      ServiceProcess.start('provisioner/dist/main.js', settings),
      ServiceProcess.start('provisioner/dist/worker.js', settings),
    ]);
  }

  const send = (service: ServiceProcess, method: string, path: string, body?: unknown, headers = {}): Promise<string> =>
    read(`${service.url}${path}`, {
      method,
      headers: { 'X-API-Key': secret.globalKey, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  /** Signs in with right and wrong passwords, sends keys in every place, writes, synchronises and posts decisions. */
  async function useCatalog(): Promise<void> {
    const signIn = (login: string, password: string): Promise<Response> =>
      fetch(`${catalog.url}/api/session`, {
        method: 'POST',
        headers: { Origin: catalog.url },
        body: JSON.stringify({ login, password }),
      });
    await signIn(person.stranger, secret.wrongPassword);
    await signIn(person.admin, secret.wrongPassword);
    const session = await signIn(person.admin, secret.adminPassword);
    expect(session.status).toBe(200);
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    made.push(cookie.split('=')[1] ?? '', ((await session.json()) as { csrf: string }).csrf);
    await read(`${catalog.url}/api/session`, { headers: { Cookie: cookie } });
    await send(catalog, 'GET', '/api/projects', undefined, { 'X-API-Key': secret.wrongKey });
    await read(`${catalog.url}/api/projects?API_KEY=${secret.wrongKeyInQuery}`);
    await read(`${catalog.url}/api/projects?API_KEY=${secret.globalKey}&limit=wrong`);
    await read(`${catalog.url}/nothing?API_KEY=${secret.globalKey}`);
    await malformed(catalog);
    expect(await send(catalog, 'POST', '/api/idp/force')).toContain('"created":2');
    const { results } = JSON.parse(await send(catalog, 'GET', '/api/users')) as { results: { id: number }[] };
    const { key } = JSON.parse(await send(catalog, 'POST', `/api/admin/users/${String(results[0]?.id)}/key`)) as {
      key: string;
    };
    made.push(key);
    await read(`${catalog.url}/api/projects?API_KEY=${key}`);
    const claim = { application: 1, resource: 'RDC_1', user: person.subject, mail: person.claimMail, end: null };
    await send(catalog, 'POST', '/api/datasets', { external_id: 'RDC_1', name: 'One' });
    await send(catalog, 'POST', '/api/accessreq', [claim, { ...claim, resource: 'none' }]);
    await send(catalog, 'POST', '/api/accessreq', `[{"mail":"${person.claimMail}"`);
    const contacts = [{ first_name: 'Emmy', last_name: person.contact, email: person.contactMail, colour: 'red' }];
    await send(catalog, 'POST', '/api/cohorts', { external_id: 'C1', name: 'Cohort', contacts });
    await send(catalog, 'POST', '/api/cohorts', 'x'.repeat(17 * 1024 * 1024)).catch(() => undefined);
    await send(catalog, 'GET', `/api/permissions/${person.subject}`);
  }

  async function useProvisioner(): Promise<void> {
    await send(provisioner, 'GET', '/imports', undefined, { 'X-API-Key': secret.wrongKey });
    await read(`${provisioner.url}/imports?API_KEY=${secret.wrongKeyInQuery}`);
    await read(`${provisioner.url}/imports?API_KEY=${secret.globalKey}&limit=wrong`);
    await malformed(provisioner);
    for (const dataset_id of ['DS-1', 'DS-2', 'DS-3']) {
      await send(provisioner, 'POST', '/datasets/srcsys/import?wait=30', { dataset_id });
    }
  }

  /** Stops the identity provider and renames columns, so that requests and background tasks log internal failures. */
  async function breakDependencies(): Promise<void> {
    await scim.stop();
    await send(catalog, 'POST', '/api/idp/force');
    const claim = { application: 2, resource: 'RDC_1', user: `${person.subject}-2`, mail: person.claimMail, end: null };
    await send(catalog, 'POST', '/api/accessreq', claim);
    const client = new Client({ connectionString: databases[0]?.url ?? '' });
    await client.connect();
    await client.query('ALTER TABLE users RENAME COLUMN email TO electronic_mail');
    await client.query('ALTER TABLE accesses RENAME COLUMN next_attempt_at TO next_try_at');
    await client.end();
    const login = JSON.stringify({ login: person.stranger, password: secret.wrongPassword });
    await read(`${catalog.url}/api/session`, { method: 'POST', headers: { Origin: catalog.url }, body: login });
    await until(() => catalog.output.includes(failedTask));
  }

  /** Sends bytes that are not HTTP and contain a key. */
  async function malformed(service: ServiceProcess): Promise<void> {
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `GET /api/projects?API_KEY=${secret.malformedKey} HTTP/9.9\r\nX-API-Key: ${secret.malformedKey}\r\n\r\n`,
    );
    await text(socket);
  }

  /** Starts the services with invalid settings. */
  async function refusedStarts(): Promise<string[]> {
    const unreachable = `postgres://catalog:${secret.databasePassword}@127.0.0.1:9/none`;
    const starts = await Promise.all([
      ServiceProcess.launch('catalog-api/dist/main.js', { ...catalogSettings(), REQUEST_TIMEOUT: 'none' }),
      ServiceProcess.launch('provisioner/dist/main.js', { ...common, QUEUE_URL: unreachable, SYMLINKS: 'sometimes' }),
    ]);
    await Promise.all(starts.map((each) => each.ended()));
    return starts.map(({ output }) => output);
  }

  it.each([...Object.entries(secret), ...Object.entries(person)])('should not hold %s', (_, word) => {
    expect(
      written.split('\n').filter((line) => line.includes(word) || line.includes(encodeURIComponent(word))),
    ).toEqual([]);
  });

  it('should hold no key and no token that was created during the run', () => {
    expect(made.map((each) => each.length > 20)).toEqual([true, true, true]);
    expect(made.filter((each) => written.includes(each))).toEqual([]);
  });

  it('should hold a line for each request and each internal failure', () => {
    const lines = written.split('\n').filter((line) => line.startsWith('{'));
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const answered = entries.filter(({ msg }) => msg === 'answered');
    expect(answered).toContainEqual(
      expect.objectContaining({ method: 'POST', route: '/api/session', status: 200, caller: 'anonymous' }),
    );
    expect(answered).toContainEqual(
      expect.objectContaining({ route: '/api/projects', caller: 'unknown', status: 403 }),
    );
    expect(answered).toContainEqual(expect.objectContaining({ route: 'unrouted', status: 404 }));
    expect(answered.filter(({ request_id, duration_ms }) => !request_id || typeof duration_ms !== 'number')).toEqual(
      [],
    );
    const failed = entries.filter(({ msg }) => msg === 'request failed');
    expect(failed).toContainEqual(
      expect.objectContaining({ err: expect.objectContaining({ type: 'QueryFailedError' }) as object }),
    );
    expect(failed.map(({ request_id }) => answered.some((each) => each['request_id'] === request_id))).not.toContain(
      false,
    );
    expect(written).toContain('checksum.mismatch');
    expect(written).toContain('confirming claims');
    expect(written).toContain(failedTask);
    expect(written).toContain('Invalid configuration');
  });
});
