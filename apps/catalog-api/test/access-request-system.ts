import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFaultProxy, type FaultProxy } from './fault-proxy.js';

/** An entitlement in the access-request system. */
export interface SystemRow {
  readonly application: number;
  readonly resource: string;
  readonly user: string;
  /** The end in ISO 8601; null for no end. */
  readonly end: string | null;
}

/**
 * A server that answers like REMS at commit 16bcd1162351cb7d258530c567d0411d9f2119aa of CSCfi/rems. A test sets its rows,
 * the roles of the catalog's user, and its faults.
 *
 * - `src/clj/rems/api/entitlements.clj`: if the user has none of the roles `owner`, `organization-owner`, `handler` and
 *   `reporter`, the list ignores the parameter `user` and contains the entitlements of the user itself, with status 200.
 * - `src/clj/rems/middleware.clj`: each response has the header `x-rems-roles`, the roles in alphabetical order.
 * - `src/clj/rems/api/applications.clj`: the list of commands answers 403 without one of these roles.
 */
export interface AccessRequestServer extends Pick<FaultProxy, 'requests'> {
  /** The settings that connect a catalog to the server. */
  readonly settings: Readonly<Record<string, string>>;
  readonly rows: SystemRow[];
  /** Injects a fault into every request; null for no fault. */
  fail(fault: ReturnType<FaultProxy['failing']>): void;
  /** The roles of the catalog's user, in addition to `api-key` and `logged-in`. */
  roles: string[];
  /** Whether a proxy removes the header with the roles. */
  hidesRoles: boolean;
  stop(): Promise<void>;
}

/** `+admin-read-roles+` in `src/cljc/rems/common/roles.cljc`. */
const readingRoles = ['owner', 'organization-owner', 'handler', 'reporter'];

const apiUser = 'catalog';
const apiKey = 'key-of-the-catalog';

/** Starts the server on a free loopback port. */
export async function startAccessRequestServer(): Promise<AccessRequestServer> {
  const http = createServer((request, response) => {
    const [status, body] = isOurs(request) ? answerTo(new URL(request.url ?? '/', 'http://any')) : [401, {}];
    const roles = ['api-key', 'logged-in', ...server.roles].sort().join(' ');
    const headers = {
      'Content-Type': 'application/json;charset=utf-8',
      ...(!server.hidesRoles && { 'x-rems-roles': roles }),
    };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
  const isReader = (): boolean => server.roles.some((role) => readingRoles.includes(role));
  const answerTo = (url: URL): [number, unknown] => {
    if (url.pathname === '/api/entitlements') return [200, listFor(url)];
    if (url.pathname !== '/api/applications/commands') return [404, {}];
    return isReader() ? [200, ['application.command/approve']] : [403, {}];
  };
  const listFor = (url: URL): object[] => {
    const user = isReader() ? url.searchParams.get('user') : apiUser;
    const resource = url.searchParams.get('resource');
    const all = url.searchParams.get('expired') === 'true';
    return server.rows
      .filter((row) => row.user === user && row.resource === resource)
      .filter(({ end }) => all || end === null || new Date(end) > new Date())
      .map(toEntitlement);
  };
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const proxy = await startFaultProxy(`http://127.0.0.1:${String((http.address() as AddressInfo).port)}`);
  const server: AccessRequestServer = {
    settings: { ACCESSREQ_URL: proxy.url, ACCESSREQ_API_USER: apiUser, ACCESSREQ_API_KEY: apiKey },
    rows: [],
    requests: proxy.requests,
    roles: ['reporter'],
    hidesRoles: false,
    fail: (fault) => {
      proxy.failing = () => fault;
    },
    async stop() {
      await proxy.stop();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

function isOurs({ headers }: IncomingMessage): boolean {
  return headers['x-rems-api-key'] === apiKey && headers['x-rems-user-id'] === apiUser;
}

function toEntitlement({ application, resource, user, end }: SystemRow): object {
  return {
    resource,
    user: { userid: user, name: null, email: null },
    'application-id': application,
    start: '2020-01-01T00:00:00.000Z',
    end,
    mail: null,
  };
}
