/**
 * Sends requests that the OpenAPI descriptions of the built services allow and forbid, with the global key and without a
 * key. Fails if an answer is a fault or not described. Argument: the command `schemathesis`. Run it with `npm run fuzz`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { withCatalogService } from './catalog-service.ts';
import { withProvisionerService } from './provisioner-service.ts';

const [schemathesis = 'schemathesis'] = process.argv.slice(2);
const globalKey = 'the-global-key-of-the-contract-fuzz';
const settings = { GLOBAL_API_KEY: globalKey };
const bodies = new URL('fuzz_bodies.py', import.meta.url).pathname;
const sample = new URL('../sample/catalog.ndjson', import.meta.url).pathname;

/** The checks of every answer, the number of examples, and a seed, so that a failure can be reproduced. */
const options = [
  ...['--checks', 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance'],
  ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '10', '--seed', '1', '--workers', '1'],
  ...['--suppress-health-check', 'all', '--max-redirects', '0', '--no-shrink', '--continue-on-failure', '--no-color'],
];

await startPostgres();
try {
  await withCatalogService(settings, async ({ url, command }) => {
    command('import', 'full', sample);
    await fuzz(url, `${url}/docs/openapi.json`);
  });
  await withProvisionerService(settings, (url) => fuzz(url, `${url}/provisioner/docs/openapi.json`));
} finally {
  await stopPostgres();
}

/** Sends requests to a service as its description allows and forbids. */
async function fuzz(url: string, description: string): Promise<void> {
  for (const headers of [[], ['--header', `X-API-Key: ${globalKey}`]]) {
    const run = spawn(schemathesis, ['run', description, '--url', url, ...headers, ...options], {
      stdio: 'inherit',
      env: { ...process.env, SCHEMATHESIS_HOOKS: bodies },
    });
    const [code] = (await once(run, 'exit')) as [number | null];
    if (code !== 0) process.exitCode = 1;
  }
}
