/** The two services behind the one origin (catalog interface, section 1). */
export type ServiceName = 'catalog-api' | 'provisioner';

const provisionerPaths = ['/submissions', '/datasets', '/imports', '/admin/queues', '/provisioner/docs'];
/** They are for whoever reaches a service's own port. */
const unroutedPaths = ['/health', '/metrics'];

/** Where a request target goes. */
export interface Route {
  /** Undefined: nowhere. */
  readonly service: ServiceName | undefined;
  /** Path and query as the service shall see them: what was asked, with dot segments resolved. */
  readonly target: string;
}

/** Decides by the decoded path, so that no spelling of a path leads where the path itself does not. */
export function routeOf(requestTarget: string): Route {
  const url = parse(requestTarget);
  if (!url) return { service: undefined, target: requestTarget };
  const path = decode(url.pathname).replace(/\/+/g, '/');
  const isUnder = (prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
  const target = `${url.pathname}${url.search}`;
  if (unroutedPaths.some(isUnder)) return { service: undefined, target };
  return { service: provisionerPaths.some(isUnder) ? 'provisioner' : 'catalog-api', target };
}

/** The request target as a URL: a path, or the absolute form that proxies are sent. */
function parse(requestTarget: string): URL | null {
  return requestTarget.startsWith('/') ? URL.parse(`http://origin${requestTarget}`) : URL.parse(requestTarget);
}

/** A path that cannot be decoded is left as it is, for the service to refuse. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
