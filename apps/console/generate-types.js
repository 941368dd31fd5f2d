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
  const schemas = records.map((name) => [name, document.components.schemas[name]]);
  await write('records.json', `${JSON.stringify(Object.fromEntries(schemas))}\n`);
}

/** Writes a file if its content differs. An unchanged file would otherwise cause another build. */
async function write(name, text) {
  const file = new URL(name, target);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== text) await writeFile(file, text);
}
