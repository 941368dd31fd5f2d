import type { FastifyInstance } from 'fastify';
import FindMyWay, { type HTTPMethod } from 'find-my-way';

/** Which methods each path answers, so that a wrong one can be told from an unknown path. */
export class RouteTable {
  private readonly router = FindMyWay({ ignoreTrailingSlash: true });
  private readonly methods = new Set<HTTPMethod>();

  /** Watches an application; call it before the first route is registered. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat() as HTTPMethod[]) {
        this.methods.add(each);
        if (!this.router.hasRoute(each, url)) this.router.on(each, url, () => undefined);
      }
    });
  }

  /** The methods that the path of this URL answers, sorted; empty when nothing answers there. */
  methodsAt(url: string): readonly string[] {
    const path = url.split('?')[0] ?? '/';
    return [...this.methods].filter((method) => this.router.find(method, path) !== null).sort();
  }
}
