import { startScimServer, type ScimAccount, type ScimServer } from '../../../scripts/scim-server.ts';
import { startFaultProxy, type Fault } from './fault-proxy.js';

/** The token that the SCIM service requires. */
export const scimToken = 'token-of-the-scim-service';

/** A real SCIM service. A test changes its accounts and sets its faults. */
export interface FaultyScimServer extends Pick<ScimServer, 'accounts' | 'stop'> {
  /** The settings that connect a catalog to the service. */
  readonly settings: Readonly<Record<string, string>>;
  /** The requested paths, in order. */
  readonly requests: string[];
  /** Injects a fault into every request, or into every request from the second page on. */
  fail(fault: Fault | null, from?: 'first page' | 'second page'): void;
}

/** Starts the service. A process can have only one. */
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
