import { startScimServer, type ScimAccount, type ScimServer } from '../../../scripts/scim-server.ts';
import { startFaultProxy, type Fault } from './fault-proxy.js';

/** The token that the SCIM service of the suites wants. */
export const scimToken = 'token-of-the-scim-service';

/** A real SCIM service, and the hand on its accounts and its health. */
export interface FaultyScimServer extends Pick<ScimServer, 'accounts' | 'stop'> {
  /** What the catalog is told to find it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Paths it was asked for so far. */
  readonly requests: string[];
  /** What goes wrong with every request, or with those for the second page and beyond. */
  fail(fault: Fault | null, from?: 'first page' | 'second page'): void;
}

/** Starts it; one in a process. */
export async function startFaultyScimServer(accounts: readonly ScimAccount[] = []): Promise<FaultyScimServer> {
  const scim = await startScimServer(scimToken, accounts);
  const proxy = await startFaultProxy(scim.origin);
  return {
    settings: { IDP_PROVIDER: 'scim', SCIM_URL: `${proxy.url}/scim/v2`, SCIM_TOKEN: scimToken },
    accounts: scim.accounts,
    requests: proxy.requests,
    fail(fault, from = 'first page') {
      proxy.failing = (path) => (from === 'first page' || isLaterPage(path) ? fault : null);
    },
    async stop() {
      await proxy.stop();
      await scim.stop();
    },
  };
}

function isLaterPage(path: string): boolean {
  return Number(new URL(path, 'http://any').searchParams.get('startIndex')) > 1;
}
