/**
 * Writes the documents in docs/openapi/, and the tables of lists in docs/integrate.md, from the built services. Run it with
 * `npm run docs:openapi`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { withCatalogService } from './catalog-service.ts';
import { withListTable, type DescribedLists, type ListingService } from './list-table.ts';
import { withProvisionerService } from './provisioner-service.ts';

const page = 'docs/integrate.md';

await startPostgres();
try {
  await withCatalogService({}, ({ url }) => keep('catalog-api', `${url}/docs/openapi.json`));
  await withProvisionerService({}, (url) => keep('provisioner', `${url}/provisioner/docs/openapi.json`));
} finally {
  await stopPostgres();
}

/** Writes the description of a service and the table of its lists. */
async function keep(service: ListingService, address: string): Promise<void> {
  const text = await (await fetch(address)).text();
  const target = new URL(`../docs/openapi/${service}.json`, import.meta.url);
  await writeFile(target, await format(text, { parser: 'json' }));
  const guide = withListTable(await readFile(page, 'utf8'), service, JSON.parse(text) as DescribedLists);
  await writeFile(page, await format(guide, { ...(await resolveConfig(page)), filepath: page }));
}
