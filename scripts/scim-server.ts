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

/** A real SCIM 2.0 service on a loopback port, and the hand on its accounts. */
export interface ScimServer {
  /** `http://127.0.0.1:<port>`; the service is below `/scim/v2`. */
  readonly origin: string;
  /** Its accounts by id; change them at any time. */
  readonly accounts: Map<string, ScimAccount>;
  stop(): Promise<void>;
}

/**
 * Starts it. There is one in a process at most, for the library keeps its resource types in one place.
 *
 * @param token what a reader has to bear
 * @param port where it listens; a free one when none is given
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
  if (request.header('Authorization') !== `Bearer ${token}`) throw new Error('The token is not ours.');
  return '';
}

function serveUsers(accounts: ReadonlyMap<string, ScimAccount>): void {
  const refuse = (): never => {
    throw new SCIMMY.Types.Error(403, '', 'Accounts are read here, not written.');
  };
  SCIMMY.Resources.declare(SCIMMY.Resources.User, {
    ingress: refuse,
    degress: refuse,
    egress({ id, constraints }: { id?: string; constraints?: PageConstraints }) {
      if (id === undefined) return pageOf([...accounts.values()], constraints).map(toResource);
      const account = accounts.get(id);
      if (!account) throw new SCIMMY.Types.Error(404, '', `There is no account ${id}.`);
      return toResource(account);
    },
  });
}

/** What a list request asks for, as the library hands it over and reads it again. */
interface PageConstraints {
  startIndex?: number;
  count?: number;
  totalResults?: number;
}

/**
 * The accounts of a page, so that the library does not turn every account into a resource to give away a few. It cuts
 * off what comes before `startIndex` itself when that lies within what it is given.
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
