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

/** What goes wrong with requests: nothing, no answer at all, an error, or an error from the second page on. */
export type Fault = 'none' | 'hang' | 'error' | 'second page';

/** A real SCIM 2.0 service on a loopback port, and the hand on its accounts and its health. */
export interface ScimServer {
  /** What the catalog is told to find it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Its accounts by id; change them at any time. */
  readonly accounts: Map<string, ScimAccount>;
  /** Addresses it was asked for so far. */
  readonly requests: string[];
  fault: Fault;
  stop(): Promise<void>;
}

const token = 'token-of-the-scim-service';

/** Starts it. There is one in a process at most, for the library keeps its resource types in one place. */
export async function startScimServer(accounts: readonly ScimAccount[] = []): Promise<ScimServer> {
  const byId = new Map(accounts.map((each) => [each.id, each]));
  serveUsers(byId);
  const app = express();
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scim: ScimServer = {
    settings: { IDP_PROVIDER: 'scim', SCIM_URL: `http://127.0.0.1:${String(port)}/scim/v2`, SCIM_TOKEN: token },
    accounts: byId,
    requests: [],
    fault: 'none',
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  app.use((request, response, next) => {
    scim.requests.push(request.url);
    if (scim.fault === 'hang') return;
    const failing = scim.fault === 'error' || (scim.fault === 'second page' && Number(request.query['startIndex']) > 1);
    if (failing) response.status(500).json({ detail: 'out of order' });
    else next();
  });
  app.use('/scim/v2', new SCIMMYRouters({ type: 'bearer', handler: checkToken }));
  return scim;
}

function checkToken(request: express.Request): string {
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
    egress({ id }: { id?: string }) {
      if (id === undefined) return [...accounts.values()].map(toResource);
      const account = accounts.get(id);
      if (!account) throw new SCIMMY.Types.Error(404, '', `There is no account ${id}.`);
      return toResource(account);
    },
  });
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
