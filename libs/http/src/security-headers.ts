import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** For answers that are data: a browser that shows one as a page may load and run nothing. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** For pages of ours: scripts and data from here only; component libraries put styles into the page. */
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
 * Puts helmet's headers on every answer, and the policy that suits what the answer is. Data that does not say who may
 * keep it may be kept by nobody; any cache might otherwise, for a key is no `Authorization` (RFC 9111, section 3).
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

/** What helmet says, asked once: it is the same for every answer. */
function helmetHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  const ask = helmet({ contentSecurityPolicy: false, xDownloadOptions: false, xXssProtection: false });
  ask({} as never, answer as never, () => undefined);
  return headers;
}
