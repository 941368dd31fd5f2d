import fastifyStatic from '@fastify/static';
import { UnknownRouteError } from '@rdc/errors';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The folder into which `apps/console` is built. */
const builtConsole = fileURLToPath(new URL('../../../../console/dist/', import.meta.url));

/** Options of {@link serveConsole}. */
export interface ConsoleOptions {
  /** The path prefix under which an ingress forwards to this service, without a trailing slash. */
  readonly basePath: string;
  /** The folder of the built console. */
  readonly folder?: string;
}

/**
 * Serves the console under `/console`, if the console is built. Files under `/console/assets` are cached for ever,
 * because their names contain a hash of their content, and are sent compressed if a file `.br` exists. Every other path serves the page, whose policy allows only these
 * files.
 */
export async function serveConsole(instance: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { basePath, folder = builtConsole } = options;
  if (!existsSync(`${folder}index.html`)) return;
  const page = await readFile(`${folder}index.html`, 'utf8');
  const based = page.replace('<base href="/console/"', `<base href="${basePath}/console/"`);
  await instance.register(fastifyStatic, {
    root: `${folder}assets`,
    prefix: '/console/assets/',
    decorateReply: false,
    index: false,
    wildcard: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  });
  for (const path of ['/console', '/console/*']) {
    instance.get(path, (request, reply) => {
      const [requested = ''] = request.url.split('?');
      if (requested.startsWith('/console/assets/')) throw new UnknownRouteError(requested);
      const nonce = randomBytes(16).toString('base64');
      return reply
        .header('Content-Security-Policy', policyWith(nonce))
        .header('Cache-Control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(based.replaceAll('__nonce__', nonce));
    });
  }
}

/** Returns a policy that allows scripts, styles and data of this origin only, and inline styles with the nonce. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
