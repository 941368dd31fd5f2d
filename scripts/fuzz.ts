/**
 * Asks the built catalog what its OpenAPI description allows and forbids, with the global key and without any, and
 * fails on an answer that is a fault or not described. Argument: the command `schemathesis`. Run it with `npm run fuzz`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withCatalogService } from './catalog-service.ts';

const [schemathesis = 'schemathesis'] = process.argv.slice(2);
const globalKey = 'the-global-key-of-the-contract-fuzz';
const bodies = new URL('fuzz_bodies.py', import.meta.url).pathname;
const sample = new URL('../sample/catalog.ndjson', import.meta.url).pathname;

/** What every answer must be; examples of one operation, and a seed, so that a failure can be had again. */
const options = [
  ...['--checks', 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance'],
  ...['--phases', 'examples,coverage,fuzzing', '--max-examples', '10', '--seed', '1', '--workers', '1'],
  ...['--suppress-health-check', 'all', '--max-redirects', '0', '--no-shrink', '--continue-on-failure', '--no-color'],
];

await withCatalogService({ GLOBAL_API_KEY: globalKey }, async ({ url, command }) => {
  command('import', 'full', sample);
  for (const headers of [[], ['--header', `X-API-Key: ${globalKey}`]]) {
    const run = spawn(schemathesis, ['run', `${url}/docs/openapi.json`, '--url', url, ...headers, ...options], {
      stdio: 'inherit',
      env: { ...process.env, SCHEMATHESIS_HOOKS: bodies },
    });
    const [code] = (await once(run, 'exit')) as [number | null];
    if (code !== 0) process.exitCode = 1;
  }
});
