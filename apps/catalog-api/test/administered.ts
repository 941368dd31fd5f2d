import type { CatalogBody } from '../../../test/support/documented-body.ts';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';
import { hashQuickly } from './people.js';
import { Browser } from './support/browser.js';

/** The compared parts of a response. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A running catalog with functions for an administrator. */
export interface Administered extends RunningCatalog {
  /** Sends JSON. The default key is the global key; null sends no key. */
  send<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    key?: string | null,
  ): Promise<Answer<CatalogBody<Method, Path>>>;
  /** Sends a request that must be refused with 400. Returns the fields in the refusal, sorted and unique. */
  fieldsRefused(method: string, path: string, body?: unknown): Promise<string[]>;
  /** Sends a request as each caller who is not an administrator. Returns the status and the code by caller. */
  refusals(method: string, path: string): Promise<Record<string, string>>;
  /** The expected result of {@link refusals}. */
  readonly allRefused: Readonly<Record<string, string>>;
  /** Returns whether the catalog accepts a key of a caller who is not an administrator. */
  accepts(key: string): Promise<boolean>;
  /** Returns the actions in the audit trail of a record, oldest first. */
  trail(resource: string, recordId: string | number): Promise<string[]>;
  /** A browser with a session of the administrator root@example.org. */
  readonly administrator: Browser;
  /** The id of a user with the role `auditor` and a key. */
  readonly auditorId: number;
}

const rootId = 90_000;
const auditorId = 90_001;
const portalId = 90_001;
/** The password of the administrator and the auditor. */
export const password = 'correct horse battery staple';

/** Starts a catalog with an administrator, an auditor, an endpoint and the given records in the backup format. */
export async function administered(
  records: readonly object[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<Administered> {
  const catalog = await startCatalog(settings);
  try {
    const password_hash = await hashQuickly(password);
    await catalog.fill([
      { record: 'user', id: rootId, last_name: 'Root', email: 'root@example.org', password_hash, roles: ['admin'] },
      {
        record: 'user',
        id: auditorId,
        last_name: 'Auditor',
        email: 'auditor@example.org',
        password_hash,
        roles: ['auditor'],
      },
      ...records.filter((each) => 'record' in each && each.record === 'user'),
      ...records.filter((each) => 'record' in each && each.record !== 'user'),
      { record: 'endpoint', id: portalId, name: 'Portal of the fixture' },
    ]);
    return await withRequests(catalog);
  } catch (error) {
    await catalog.stop();
    throw error;
  }
}

async function withRequests(catalog: RunningCatalog): Promise<Administered> {
  const send: Administered['send'] = async <Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    key: string | null = globalKey,
  ) => {
    const response = await catalog.fetch(path, {
      method,
      ...(key !== null && { key }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : null) as CatalogBody<Method, Path>,
    };
  };
  const issue = async (path: `/api/admin/${'users' | 'endpoints'}/${string}/key`): Promise<string> =>
    (await send('POST', path)).body.key;
  const callers = {
    'no key': null,
    'unknown key': 'no caller has this key',
    'user key': await issue(`/api/admin/users/${String(auditorId)}/key`),
    'endpoint key': await issue(`/api/admin/endpoints/${String(portalId)}/key`),
  };
  const auditor = new Browser(catalog.url);
  await auditor.signIn('auditor@example.org', password);
  const administrator = new Browser(catalog.url);
  await administrator.signIn('root@example.org', password);
  return {
    ...catalog,
    administrator,
    send,
    auditorId,
    allRefused: {
      'no key': '403 key.required',
      'unknown key': '403 key.unknown',
      'user key': '403 access.denied',
      'endpoint key': '403 access.denied',
      'session without the role': '403 access.denied',
    },
    async fieldsRefused(method, path, body) {
      const answer = await send(method, path, body);
      if (answer.status !== 400) throw new Error(`${method} ${path} answered ${String(answer.status)}, not 400.`);
      return [...new Set((answer.body.more.fields ?? []).map(({ field }) => field ?? ''))].sort();
    },
    async refusals(method, path) {
      const refused: Record<string, string> = {};
      for (const [caller, key] of Object.entries(callers)) {
        const { status, body } = await send(method, path, undefined, key);
        refused[caller] = `${String(status)} ${status < 400 ? '' : body.more.code}`;
      }
      const response = await auditor.fetch(path, { method });
      const { more } = (await response.json()) as { more?: { code: string } };
      refused['session without the role'] = `${String(response.status)} ${more?.code ?? ''}`;
      return refused;
    },
    async accepts(key) {
      const { body } = await send('GET', '/api/admin/users', undefined, key);
      return body.more.code === 'access.denied';
    },
    async trail(resource, recordId) {
      const rows = await catalog.dataSource.query<{ action: string }[]>(
        'SELECT action FROM audit_entries WHERE resource = $1 AND record_id = $2 ORDER BY id',
        [resource, String(recordId)],
      );
      return rows.map(({ action }) => action);
    },
  };
}
