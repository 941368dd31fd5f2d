import type { FastifyInstance } from 'fastify';

/** The query parameter in which a key may come; the header `X-API-Key` replaces it. */
export const keyParameter = 'API_KEY';

/** 2026-11-23, since when the parameter is deprecated, in the form of RFC 9745. */
const deprecatedSince = '@1795392000';

/**
 * Says on every answer to a key in the query that this is deprecated (RFC 9745), and where that is documented: addresses
 * with a key remain in logs and histories. An empty parameter counts as not sent.
 *
 * @param page the address of the page that documents it, with the prefix of an ingress; undefined for none
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
