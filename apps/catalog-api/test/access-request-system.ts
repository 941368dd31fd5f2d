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

/** A server that answers `GET /api/entitlements` like REMS. A test sets its rows and its faults. */
export interface AccessRequestServer extends Pick<FaultProxy, 'requests'> {
  /** The settings that connect a catalog to the server. */
  readonly settings: Readonly<Record<string, string>>;
  readonly rows: SystemRow[];
  /** Injects a fault into every request; null for no fault. */
  fail(fault: ReturnType<FaultProxy['failing']>): void;
  /** Whether the catalog's user may read all entitlements. If not, every answer contains that user's entitlements. */
  privileged: boolean;
  stop(): Promise<void>;
}

const apiUser = 'catalog';
const apiKey = 'key-of-the-catalog';

/** Starts the server on a free loopback port. */
export async function startAccessRequestServer(): Promise<AccessRequestServer> {
  const http = createServer((request, response) => {
    const [status, body] = isOurs(request) ? [200, listFor(new URL(request.url ?? '/', 'http://any'))] : [401, {}];
    response.writeHead(status, { 'Content-Type': 'application/json;charset=utf-8' }).end(JSON.stringify(body));
  });
  const listFor = (url: URL): object[] => {
    const user = server.privileged ? url.searchParams.get('user') : apiUser;
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
    privileged: true,
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

function isOurs({ url, headers }: IncomingMessage): boolean {
  const isKnown = headers['x-rems-api-key'] === apiKey && headers['x-rems-user-id'] === apiUser;
  return isKnown && url?.startsWith('/api/entitlements?') === true;
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
