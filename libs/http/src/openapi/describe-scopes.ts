import type { INestApplication } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { callableByKey, scopesIn, type CallerRule } from '@rdc/auth';

type Handler = (...args: unknown[]) => unknown;

/**
 * Adds to each operation the member `x-scopes`: the scopes of which a service key needs one. If the list is empty, no
 * service key is admitted. If the member is absent, every service key is admitted.
 */
export function describeScopes(app: INestApplication, { paths }: OpenAPIObject): void {
  const rules = rulesByOperation(app);
  for (const item of Object.values(paths)) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      const rule = rules.get(operation?.operationId ?? '');
      if (!operation || !rule || rule.includes('service')) continue;
      const scopes = scopesIn(rule);
      Object.assign(operation, { 'x-scopes': scopes });
      operation.description = [operation.description, sentenceOf(scopes)].filter(Boolean).join(' ');
    }
  }
}

function sentenceOf(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'No service key may use this operation.';
  return `A service key needs the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

/** Returns the rules of every handler by the id of its operation. */
function rulesByOperation(app: INestApplication): ReadonlyMap<string, readonly CallerRule[]> {
  const [reflector, scanner] = [new Reflector(), new MetadataScanner()];
  const rules = new Map<string, readonly CallerRule[]>();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, Handler>;
      for (const method of scanner.getAllMethodNames(prototype)) {
        const handler = prototype[method];
        if (!handler) continue;
        const rule = reflector.getAllAndOverride<readonly CallerRule[] | undefined>(callableByKey, [handler, metatype]);
        rules.set(`${metatype.name}_${method}`, rule ?? []);
      }
    }
  }
  return rules;
}
