import { MethodNotAllowedError, UnknownRouteError } from '@rdc/errors';
import type { FastifyInstance } from 'fastify';
import FindMyWay, { type Config, type HTTPMethod, type HTTPVersion } from 'find-my-way';
import { pathOf } from './path-of.js';

/** The letter of the rest of a path in a route's form. */
const rest = '2';

/**
 * Which methods each path answers, so that a wrong one can be told from an unknown path. A word of a path hides a
 * parameter in its place: where `POST /things/import` is, `GET /things/import` does not ask for the thing `import`.
 */
export class RouteTable {
  private readonly router;
  private readonly methods = new Set<HTTPMethod>();
  private readonly urls = new Set<string>();
  private readonly hideable = new Map<string, boolean>();

  /** @param options those of the application's own router, so that both find the same */
  constructor(options: Config<HTTPVersion.V1>) {
    this.router = FindMyWay(options);
  }

  /** Watches an application; call it before the first route is registered. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ method, url }) => {
      this.urls.add(url);
      for (const each of [method].flat() as HTTPMethod[]) {
        this.methods.add(each);
        if (!this.router.hasRoute(each, url)) this.router.on(each, url, () => undefined, formOf(url));
      }
    });
  }

  /** Refuses calls whose method only a hidden route would answer, and paths with an empty part, which is no id. */
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
   * The methods that the path of this URL answers, sorted; empty when nothing answers there. A route of every path below
   * its own promises none: it serves files, and whether there is one is seen by its handler only.
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

  /** Whether some other route has a word where this one has a parameter; found out once for each. */
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

/** A path of which every segment is its kind, in the order in which they hide each other: word, parameter, rest. */
function formOf(url: string): string {
  const kinds = url.split('/').map((segment) => (segment.startsWith(':') ? '1' : segment.includes('*') ? rest : '0'));
  return kinds.join('');
}
