import { mkdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

/**
 * Makes of the two published OpenAPI documents what the console knows of the services: `src/api/generated`. Types for
 * the compiler, and the schemas of the five kinds of record, out of which their forms are made.
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

/** A file that would come out the same is left alone, so that nobody builds again for nothing. */
async function write(name, text) {
  const file = new URL(name, target);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== text) await writeFile(file, text);
}
