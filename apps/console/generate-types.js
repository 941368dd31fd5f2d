import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

/**
 * Generates `src/api/generated` from the two published OpenAPI documents: types for the compiler, and the schemas of the
 * five kinds of record, from which the forms are generated.
 */
const documents = new URL('../../docs/openapi/', import.meta.url);
const target = new URL('src/api/generated/', import.meta.url);
const records = ['project', 'dataset', 'contract', 'partner', 'cohort'];

await mkdir(target, { recursive: true });
for (const service of ['catalog-api', 'provisioner']) {
  const document = JSON.parse(await readFile(new URL(`${service}.json`, documents), 'utf8'));
  await write(`${service}.ts`, astToString(await openapiTS(document)));
  if (service !== 'catalog-api') continue;
  const { schemas: components } = document.components;
  const schemas = records.map((name) => [
    name,
    formSchema(components, `${name.charAt(0).toUpperCase()}${name.slice(1)}`),
  ]);
  await write('records.json', `${JSON.stringify(Object.fromEntries(schemas))}\n`);
}

/** Returns the schema of a form: the members for reading, and the required members of a write. */
function formSchema(components, name) {
  return { ...components[name], required: components[`${name}Input`].required };
}

/** Writes a file if its content differs. An unchanged file would otherwise cause another build. */
async function write(name, text) {
  const file = new URL(name, target);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== text) await writeFile(file, text);
}
