import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import SCIMMY from 'scimmy';
import SCIMMYRouters from 'scimmy-routers';

/** An account of the SCIM service. */
export interface ScimAccount {
  readonly id: string;
  readonly active?: boolean;
  readonly email?: string;
  readonly givenName?: string;
  readonly familyName?: string;
}

/** A real SCIM 2.0 service on a loopback port. */
export interface ScimServer {
  /** `http://127.0.0.1:<port>`; the service is below `/scim/v2`. */
  readonly origin: string;
  /** Its accounts by id. May be changed at any time. */
  readonly accounts: Map<string, ScimAccount>;
  stop(): Promise<void>;
}

/**
 * Starts a SCIM service. A process can run only one, because the library's resource types are global.
 *
 * @param token the bearer token that requests must carry
 * @param port on which the service listens; by default a free port
 */
export async function startScimServer(
  token: string,
  accounts: readonly ScimAccount[] = [],
  port = 0,
): Promise<ScimServer> {
  const byId = new Map(accounts.map((each) => [each.id, each]));
  serveUsers(byId);
  const app = express();
  app.use('/scim/v2', new SCIMMYRouters({ type: 'bearer', handler: (request) => checkToken(request, token) }));
  const server = app.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    accounts: byId,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function checkToken(request: express.Request, token: string): string {
  if (request.header('Authorization') !== `Bearer ${token}`) throw new Error('The bearer token is wrong.');
  return '';
}

function serveUsers(accounts: ReadonlyMap<string, ScimAccount>): void {
  const refuse = (): never => {
    throw new SCIMMY.Types.Error(403, '', 'Accounts are read-only.');
  };
  SCIMMY.Resources.declare(SCIMMY.Resources.User, {
    ingress: refuse,
    degress: refuse,
    egress({ id, constraints }: { id?: string; constraints?: PageConstraints }) {
      if (id === undefined) return pageOf([...accounts.values()], constraints).map(toResource);
      const account = accounts.get(id);
      if (!account) throw new SCIMMY.Types.Error(404, '', `The account ${id} does not exist.`);
      return toResource(account);
    },
  });
}

/** The parameters of a list request in the form that the library passes and reads. */
interface PageConstraints {
  startIndex?: number;
  count?: number;
  totalResults?: number;
}

/**
 * Returns the accounts of a page, so that the library does not convert every account into a resource. If `startIndex` is
 * within the returned accounts, the library itself removes the accounts before it.
 */
function pageOf(all: readonly ScimAccount[], constraints: PageConstraints = {}): readonly ScimAccount[] {
  const { startIndex = 1, count = all.length } = constraints;
  constraints.totalResults = all.length;
  const end = startIndex - 1 + count;
  return all.slice(startIndex > count ? startIndex - 1 : 0, end);
}

function toResource({ id, active = true, email, givenName, familyName }: ScimAccount): object {
  return {
    id,
    userName: id,
    active,
    ...((givenName ?? familyName) && { name: { givenName, familyName } }),
    ...(email && { emails: [{ value: email, primary: true }] }),
  };
}
