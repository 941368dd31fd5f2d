/** Writes the documents in docs/openapi/ from the built services. Run it with `npm run docs:openapi`. */
import { writeFile } from 'node:fs/promises';
import { format } from 'prettier';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { withCatalogService } from './catalog-service.ts';
import { withProvisionerService } from './provisioner-service.ts';

await startPostgres();
try {
  await withCatalogService({}, ({ url }) => keep('catalog-api', `${url}/docs/openapi.json`));
  await withProvisionerService({}, (url) => keep('provisioner', `${url}/provisioner/docs/openapi.json`));
} finally {
  await stopPostgres();
}

/** Writes the description of a service. */
async function keep(service: string, address: string): Promise<void> {
  const text = await (await fetch(address)).text();
  const target = new URL(`../docs/openapi/${service}.json`, import.meta.url);
  await writeFile(target, await format(text, { parser: 'json' }));
}
