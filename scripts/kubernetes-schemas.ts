import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * Creates the JSON Schemas with which `scripts/validate-k8s.sh` checks the manifests: one file for each kind, named
 * `<kind>-<group>-<version>.json`, from the OpenAPI document of Kubernetes and from custom resource definitions.
 *
 *     node scripts/kubernetes-schemas.ts <folder> <swagger.json> [<definition.yaml> ...]
 *
 * The schemas are strict: a property that Kubernetes would ignore is an error.
 */
type Schema = Record<string, unknown>;

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Types that Kubernetes writes as strings and also accepts as numbers. */
const numbersAllowed = new Set([
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
]);

/** Returns the same schema, which additionally refuses unknown properties. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const made = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]));
  const isOpen = made['additionalProperties'] !== undefined || made['x-kubernetes-preserve-unknown-fields'] === true;
  return isPlain(made['properties']) && !isOpen ? { ...made, additionalProperties: false } : made;
}

function isPlain(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fileOf({ group, version, kind }: Kind): string {
  return `${[kind, group.split('.')[0], version]
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase()}.json`;
}

function writeBuiltIn(folder: string, swaggerFile: string): void {
  const { definitions } = JSON.parse(readFileSync(swaggerFile, 'utf8')) as { definitions: Record<string, Schema> };
  for (const name of numbersAllowed) definitions[name] = { type: ['string', 'number'] };
  writeFileSync(join(folder, '_definitions.json'), JSON.stringify({ definitions: strict(definitions) }));
  for (const [name, definition] of Object.entries(definitions)) {
    for (const kind of (definition['x-kubernetes-group-version-kind'] ?? []) as Kind[]) {
      const reference = { $ref: `_definitions.json#/definitions/${name}` };
      writeFileSync(join(folder, fileOf(kind)), JSON.stringify(reference));
    }
  }
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

function writeCustom(folder: string, definitionFile: string): void {
  const { spec } = parse(readFileSync(definitionFile, 'utf8')) as Definition;
  for (const { name, schema } of spec.versions) {
    const { properties, ...rest } = strict(schema.openAPIV3Schema) as { properties: Schema };
    const withMetadata = { ...rest, properties: { ...properties, metadata: { type: 'object' } } };
    const kind = { group: spec.group, version: name, kind: spec.names.kind };
    writeFileSync(join(folder, fileOf(kind)), JSON.stringify(withMetadata));
  }
}

const [folder, swagger, ...custom] = process.argv.slice(2);
if (folder === undefined || swagger === undefined) {
  process.stderr.write('usage: node scripts/kubernetes-schemas.ts <folder> <swagger.json> [<definition.yaml> ...]\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
writeBuiltIn(folder, swagger);
for (const file of custom) writeCustom(folder, file);
