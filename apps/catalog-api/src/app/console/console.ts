import fastifyStatic from '@fastify/static';
import { UnknownRouteError } from '@rdc/errors';
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Where the build of `apps/console` puts the pages. */
const builtConsole = fileURLToPath(new URL('../../../../console/dist/', import.meta.url));

/** How the console is served. */
export interface ConsoleOptions {
  /** The prefix under which an ingress forwards to us, without its last slash; `''` for none. */
  readonly basePath: string;
  /** The folder of the built console. */
  readonly folder?: string;
}

/**
 * Serves the console under `/console`, if it is built: its files, whose names change with what is in them, for ever;
 * its one page at every other address there, with a policy that lets it run and load nothing but those files.
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
    immutable: true,
    maxAge: '1y',
  });
  for (const path of ['/console', '/console/*']) {
    instance.get(path, (request, reply) => {
      const [asked = ''] = request.url.split('?');
      if (asked.startsWith('/console/assets/')) throw new UnknownRouteError(asked);
      const nonce = randomBytes(16).toString('base64');
      return reply
        .header('Content-Security-Policy', policyWith(nonce))
        .header('Cache-Control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(based.replaceAll('__nonce__', nonce));
    });
  }
}

/** Scripts, styles and data from here only. Styles that components put into the page carry the nonce. */
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
