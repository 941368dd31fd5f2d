import { MethodNotAllowedError, UnknownRouteError } from '@rdc/errors';
import type { FastifyInstance } from 'fastify';
import FindMyWay, { type Config, type HTTPMethod, type HTTPVersion } from 'find-my-way';
import { pathOf } from './path-of.js';

/** The character for a wildcard in the form of a route. */
const rest = '2';

/**
 * The methods of each path, which distinguish 405 from 404. A fixed segment hides a parameter in the same position: if
 * there is a route `POST /things/import`, then `GET /things/import` is answered with 405 and not as the thing `import`.
 */
export class RouteTable {
  private readonly router;
  private readonly methods = new Set<HTTPMethod>();
  private readonly urls = new Set<string>();
  private readonly hideable = new Map<string, boolean>();

  /** @param options the options of the application's router, so that both match the same paths */
  constructor(options: Config<HTTPVersion.V1>) {
    this.router = FindMyWay(options);
  }

  /** Records the routes of an application. Call this method before the first route is registered. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ method, url }) => {
      this.urls.add(url);
      for (const each of [method].flat() as HTTPMethod[]) {
        this.methods.add(each);
        if (!this.router.hasRoute(each, url)) this.router.on(each, url, () => undefined, formOf(url));
      }
    });
  }

  /** Refuses requests that only a hidden route would answer, and paths with an empty segment. */
  guard(instance: FastifyInstance): void {
    instance.addHook('onRequest', (request, _reply, done) => {
      const path = pathOf(request.url);
      if (hasEmptyPart(path)) throw new UnknownRouteError(path);
      if (this.isHideable(request.routeOptions.url ?? '')) {
        const allowed = this.methodsAt(request.url);
        if (!allowed.includes(request.method)) throw new MethodNotAllowedError(request.method, allowed);
      }
      done();
    });
  }

  /**
   * Returns the sorted methods of a URL's path; empty if no route matches. Wildcard routes do not count: they serve
   * files, and only their handlers can determine whether a file exists.
   */
  methodsAt(url: string): readonly string[] {
    const path = pathOf(url);
    if (hasEmptyPart(path)) return [];
    const found = [...this.methods].flatMap((method) => {
      const route = this.router.find(method, path);
      const form = route === null ? '' : (route.store as string);
      return route === null || form.includes(rest) ? [] : [{ method, form }];
    });
    const [plainest] = found.map(({ form }) => form).sort();
    return found.flatMap(({ method, form }) => (form === plainest ? [method] : [])).sort();
  }

  /** Returns whether another route has a fixed segment in the position of a parameter. The result is cached. */
  private isHideable(url: string): boolean {
    const known = this.hideable.get(url);
    if (known !== undefined) return known;
    const isHidden = url.includes(':') && [...this.urls].some((other) => hides(other, url));
    this.hideable.set(url, isHidden);
    return isHidden;
  }
}

function hasEmptyPart(path: string): boolean {
  return path.includes('//');
}

function hides(other: string, url: string): boolean {
  const [words, segments] = [other.split('/'), url.split('/')];
  if (other === url || words.length !== segments.length) return false;
  return (
    segments.every((segment, place) => segment.startsWith(':') || segment === words[place]) &&
    formOf(other) < formOf(url)
  );
}

/**
 * Returns the kind of each segment of a path as a digit: fixed segment, parameter, wildcard. A lower digit hides a
 * higher one.
 */
function formOf(url: string): string {
  const kinds = url.split('/').map((segment) => (segment.startsWith(':') ? '1' : segment.includes('*') ? rest : '0'));
  return kinds.join('');
}
