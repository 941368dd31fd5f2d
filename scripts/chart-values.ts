// Writes the table of the chart's values into its README, from values.yaml: each value has a comment above it, which is its
// description. Exits with 1 if a value has no comment, or is missing in values.schema.json or in values.yaml.
//
//     node scripts/chart-values.ts            writes the table
//     node scripts/chart-values.ts --check    exits with 1 if the table is not as written
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Value {
  readonly path: string;
  readonly description: string;
  readonly defaultText: string;
}

const chart = join(import.meta.dirname, '../charts/research-data-catalog');
const [begin, end] = ['<!-- values: written by node scripts/chart-values.ts -->', '<!-- end of values -->'];

/** Returns whether the members of a value have rows of their own. A value in flow style is one row. */
function isGroup(value: unknown, schema: Schema): value is YAMLMap {
  return isMap(value) && schema.properties !== undefined && value.flow !== true;
}

function* valuesOf(map: YAMLMap, schema: Schema, prefix: string): Generator<Value> {
  let isFirst = true;
  for (const { key, value } of map.items) {
    if (!isScalar(key)) throw new Error(`${prefix} contains a key that is not a text.`);
    const path = `${prefix}${String(key.value)}`;
    const known = schema.properties?.[String(key.value)];
    if (!known) throw new Error(`values.schema.json has no property for ${path}: add it.`);
    if (isGroup(value, known)) yield* valuesOf(value, known, `${path}.`);
    else
      yield { path, description: descriptionOf(path, key.commentBefore, isFirst && map), defaultText: textOf(value) };
    isFirst = false;
  }
  const names = map.items.map(({ key }) => String(key));
  const missing = Object.keys(schema.properties ?? {}).filter((name) => name !== 'global' && !names.includes(name));
  if (missing.length > 0) throw new Error(`values.yaml has no ${prefix}${missing.join(', ')}: add it with a comment.`);
}

/** Returns the comment above a key. The parser stores the comment above the first key at the map. */
function descriptionOf(path: string, own: string | null | undefined, map: YAMLMap | false): string {
  const comment = own ?? (map ? map.commentBefore : undefined);
  if (comment === undefined || comment === null) throw new Error(`${path} has no comment in values.yaml: add one.`);
  const lines = comment.split('\n').map((line) => line.trim());
  return lines.join(' ').replaceAll('|', '\\|');
}

function textOf(value: unknown): string {
  const plain = (isMap(value) || isScalar(value) || value) && JSON.stringify(value);
  return plain === '""' || plain === 'null' || plain === '[]' || plain === '{}' ? '' : `\`${String(plain)}\``;
}

function tableOf(values: readonly Value[]): string {
  const rows = values.map(
    ({ path, description, defaultText }) => `| \`${path}\` | ${description} | ${defaultText.replaceAll('|', '\\|')} |`,
  );
  return ['| Value | Meaning | Default |', '| --- | --- | --- |', ...rows].join('\n');
}

const text = (file: string): string => readFileSync(join(chart, file), 'utf8');
const { contents } = parseDocument(text('values.yaml'));
if (!isMap(contents)) throw new Error('values.yaml must be a map.');
const values = [...valuesOf(contents, JSON.parse(text('values.schema.json')) as Schema, '')];
const readme = text('README.md');
const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
if (from === -1 || to === -1) throw new Error(`README.md must contain the marks ${begin} and ${end}.`);
const page = `${readme.slice(0, from)}${begin}\n\n${tableOf(values)}\n\n${readme.slice(to)}`;
const file = join(chart, 'README.md');
const written = await format(page, { ...(await resolveConfig(file)), filepath: file });
if (!process.argv.includes('--check')) {
  writeFileSync(file, written);
} else if (written !== readme) {
  process.stderr.write('charts/research-data-catalog/README.md is not up to date: run node scripts/chart-values.ts\n');
  process.exitCode = 1;
}
