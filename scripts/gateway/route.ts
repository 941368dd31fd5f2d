/** One of the two services that share the origin. */
export type ServiceName = 'catalog-api' | 'provisioner';

const provisionerPaths = ['/submissions', '/datasets', '/imports', '/admin/queues', '/provisioner/docs'];
/** Paths that are served only on a service's own port. */
const unroutedPaths = ['/health', '/metrics'];

/** The destination of a request target. */
export interface Route {
  /** The service that answers; undefined if no service does. */
  readonly service: ServiceName | undefined;
  /**
   * Path and query for the service: dot segments are resolved and repeated slashes before a segment are one, as a base
   * address that ends in `/` produces them. Escapes and slashes at the end stay as they are.
   */
  readonly target: string;
  /** Host and port that an absolute target names; undefined if the target is a path, so that `Host` counts. */
  readonly authority: string | undefined;
}

/**
 * Returns the destination of a request target, or null if the target is neither a path nor the address of a page.
 *
 * The decoded path decides, so that every spelling of a path leads to the same destination.
 */
export function routeOf(requestTarget: string): Route | null {
  const url = parse(requestTarget);
  if (!url) return null;
  const pathname = url.pathname.replace(/\/{2,}(?=[^/])/g, '/');
  const path = decodeAscii(pathname).replace(/\/{2,}/g, '/');
  const isUnder = (prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
  const authority = requestTarget.startsWith('/') ? undefined : url.host;
  const route = { target: `${pathname}${url.search}`, authority };
  if (unroutedPaths.some(isUnder)) return { ...route, service: undefined };
  return { ...route, service: provisionerPaths.some(isUnder) ? 'provisioner' : 'catalog-api' };
}

/** Returns the request target as a URL: a path, or the absolute form in which proxies are addressed. */
function parse(requestTarget: string): URL | null {
  if (requestTarget.startsWith('/')) return URL.parse(`http://origin${requestTarget}`);
  const url = URL.parse(requestTarget);
  const isPage = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isPage && url.username === '' && url.password === '' ? url : null;
}

/** Replaces the escapes of ASCII characters; the paths of this file are ASCII, and a broken escape stays as it is. */
function decodeAscii(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
