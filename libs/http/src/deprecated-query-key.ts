import type { FastifyInstance } from 'fastify';

/** The deprecated query parameter for a key; the header `X-API-Key` replaces it. */
export const keyParameter = 'API_KEY';

/** The date of the deprecation, 2026-11-23, in the format of RFC 9745. */
const deprecatedSince = '@1795392000';

/**
 * Adds `Deprecation` (RFC 9745) and a link to the documentation to every response to a request with a key in the query,
 * because URLs with a key remain in logs and browser histories. An empty parameter counts as absent.
 *
 * @param page the path of the documentation with the prefix of an ingress; undefined for no link
 */
export function deprecateQueryKeys(instance: FastifyInstance, page: string | undefined): void {
  instance.addHook('onSend', ({ query }, reply, payload, done) => {
    const { [keyParameter]: key = '' } = query as Readonly<Record<string, unknown>>;
    if (key !== '') {
      void reply.header('Deprecation', deprecatedSince);
      if (page !== undefined) {
        const links = [reply.getHeader('Link') ?? []].flat();
        void reply.header('Link', [...links, `<${page}>; rel="deprecation"; type="text/html"`].join(', '));
      }
    }
    done(null, payload);
  });
}
