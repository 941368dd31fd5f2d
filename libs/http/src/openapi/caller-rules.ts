import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { callableByKey, type CallerRule } from '@rdc/auth';

type Handler = (...args: unknown[]) => unknown;

/** The rules of `@CallableBy` by operation. The name of an operation is its method and path: `get /api/datasets/{id}`. */
export type CallerRules = ReadonlyMap<string, readonly CallerRule[]>;

/** Returns the rules that the guard applies to each operation. An operation without rules refuses every caller. */
export function callerRulesOf(app: INestApplication): CallerRules {
  const [reflector, scanner] = [new Reflector(), new MetadataScanner()];
  const rules = new Map<string, readonly CallerRule[]>();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, Handler>;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name];
        const method = handler && reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
        if (!handler || method === undefined) continue;
        const paths = [PATH_METADATA, PATH_METADATA].map((key, at) =>
          reflector.get<string>(key, at ? handler : metatype),
        );
        const rule = reflector.getAllAndOverride<readonly CallerRule[] | undefined>(callableByKey, [handler, metatype]);
        rules.set(operationName(RequestMethod[method], paths), rule ?? []);
      }
    }
  }
  return rules;
}

function operationName(method: string, paths: readonly string[]): string {
  const parts = paths.flatMap((path) => path.split('/')).filter((part) => part !== '');
  return `${method.toLowerCase()} /${parts.map((part) => part.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
}
