import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SessionTokens } from '@rdc/auth';

/** A fake catalog that supports only introspection. */
export interface IntrospectingCatalog {
  /** The settings that connect a provisioner to the fake catalog. */
  readonly settings: Readonly<Record<string, string>>;
  /** The active service keys and their introspection responses. */
  readonly serviceKeys: Map<string, object>;
  /** The ids of ended sessions. */
  readonly ended: Set<string>;
  /** The introspected tokens, in order. */
  readonly introspectedTokens: string[];
  /** Closes the port, so that later calls are refused. */
  stop(): Promise<void>;
}

/** The service key of the provisioner at the fake catalog. */
const ownKey = `rdcs_${'p'.repeat(48)}`;

/**
 * Starts a fake catalog. Every signed session is active with the roles of its token, unless it is in `ended`.
 *
 * @param secret the `SESSION_SECRET` of both services
 */
export async function startIntrospectingCatalog(secret: string): Promise<IntrospectingCatalog> {
  const tokens = new SessionTokens(secret);
  const [serviceKeys, ended, introspectedTokens] = [new Map<string, object>(), new Set<string>(), [] as string[]];
  const answerTo = async (token: string): Promise<object> => {
    introspectedTokens.push(token);
    const key = serviceKeys.get(token);
    if (key) return { active: true, kind: 'service', submissions: null, projects: null, expires_at: null, ...key };
    const session = await tokens.read(token);
    if (!session || ended.has(session.sessionId)) return { active: false };
    const { userId: user_id, sessionId: session_id, subject, roles } = session;
    return { active: true, kind: 'session', user_id, session_id, subject, roles };
  };
  const server = createServer((request, response) => {
    const isOurs = request.url === '/api/introspection' && request.headers['x-api-key'] === ownKey;
    void request.toArray().then(async (chunks: Buffer[]) => {
      const { token } = JSON.parse(Buffer.concat(chunks).toString()) as { token: string };
      response.writeHead(isOurs ? 200 : 403, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(isOurs ? await answerTo(token) : {}));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    settings: { SESSION_SECRET: secret, CATALOG_URL: url, CATALOG_API_KEY: ownKey },
    ...{ serviceKeys, ended, introspectedTokens },
    async stop() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
