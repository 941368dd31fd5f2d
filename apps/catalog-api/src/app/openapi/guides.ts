import { UnknownRouteError } from '@rdc/errors';
import { guidesPath } from '@rdc/http';
import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';

/** The folder of the guides in the checkout and in the image. */
const folder = new URL('../../../../../docs/', import.meta.url);

const fileName = /^[a-z]+(-[a-z]+)*\.md$/;

/**
 * Serves the guides of this version as text, so that the documentation pages can link to them without another origin.
 * Relative links between guides work.
 */
export function serveGuides(instance: FastifyInstance): void {
  instance.get<{ Params: { file: string } }>(`${guidesPath}/:file`, async ({ params: { file } }, reply) => {
    const text = fileName.test(file) ? await read(file) : undefined;
    if (text === undefined) throw new UnknownRouteError(`${guidesPath}/${file}`);
    return reply.type('text/plain; charset=utf-8').send(text);
  });
}

/** Returns a guide; undefined if it does not exist. */
async function read(file: string): Promise<string | undefined> {
  return readFile(new URL(file, folder), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}
