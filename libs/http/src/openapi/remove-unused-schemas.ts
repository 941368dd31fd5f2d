import type { OpenAPIObject } from '@nestjs/swagger';

const prefix = '#/components/schemas/';

/** Removes the schemas to which no operation refers, directly or through other schemas. */
export function removeUnusedSchemas({ paths, components = {} }: OpenAPIObject): void {
  const { schemas = {} } = components;
  const used = new Set<string>();
  const open = referencesIn(paths);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    open.push(...referencesIn(schemas[name]));
  }
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  components.schemas = Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function referencesIn(value: unknown): string[] {
  const found = JSON.stringify(value ?? null).matchAll(/"\$ref":"([^"]+)"/g);
  return [...found].map(([, reference = '']) => reference.slice(prefix.length));
}
