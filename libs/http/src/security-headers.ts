import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** The policy for data: if a browser shows data as a page, the page cannot load or run anything. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The policy for pages: scripts and data of the same origin only. Component libraries need inline styles. */
const pagePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Adds helmet's headers and a content security policy to every response. JSON without `Cache-Control` is sent with
 * `no-store`: shared caches could store it, because a key is not an `Authorization` header (RFC 9111, section 3).
 */
export function secureAnswers(instance: FastifyInstance): void {
  const headers = helmetHeaders();
  instance.addHook('onSend', (_request, reply, payload, done) => {
    const type = String(reply.getHeader('content-type'));
    const isPage = type.startsWith('text/html');
    void reply.headers(headers);
    if (!reply.hasHeader('Content-Security-Policy'))
      void reply.header('Content-Security-Policy', isPage ? pagePolicy : dataPolicy);
    if (type.includes('json') && !reply.hasHeader('Cache-Control')) void reply.header('Cache-Control', 'no-store');
    done(null, payload);
  });
}

/** Returns helmet's headers, which are the same for every response. */
function helmetHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  const addHeaders = helmet({ contentSecurityPolicy: false, xDownloadOptions: false, xXssProtection: false });
  addHeaders({} as never, answer as never, () => undefined);
  return headers;
}
