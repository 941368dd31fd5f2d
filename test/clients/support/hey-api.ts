import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runNode } from './run-node.ts';

const run = promisify(execFile);

/** The generator, with the compiler of this repository: the generator does not support TypeScript 7. */
const packages = ['@hey-api/openapi-ts@0.99.0', 'typescript@6.0.3'];

const root = join(import.meta.dirname, '../../..');
const cache = join(root, '.cache/hey-api-0.99.0');

/** The options with which the generated clients must compile. */
const compilerOptions = {
  ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: false, types: [] },
  ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'] },
};

/** Generates the clients of the services with hey-api and compiles them strictly. @returns the files of their functions */
export async function generateWithHeyApi(services: readonly string[]): Promise<string[]> {
  await install();
  const folder = join(cache, 'generated');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [...services] }));
  for (const service of services) {
    const document = join(root, `docs/openapi/${service}.json`);
    const words = ['--input', document, '--output', join(folder, service), '--client', '@hey-api/client-fetch'];
    await runNode([join(cache, 'node_modules/@hey-api/openapi-ts/bin/run.js'), ...words], folder);
  }
  await runNode([join(cache, 'node_modules/typescript/bin/tsc'), '-p', folder], folder);
  return services.map((service) => join(folder, service, 'sdk.gen.ts'));
}

/** Installs the generator unless it is there. */
async function install(): Promise<void> {
  // The mark is written last, so that an interrupted installation is repeated.
  const mark = join(cache, 'installed');
  if (existsSync(mark)) return;
  await rm(cache, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, 'package.json'), '{"private": true, "type": "module"}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: cache });
  await writeFile(mark, '');
}
