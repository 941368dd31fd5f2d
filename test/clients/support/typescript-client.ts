import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const root = join(import.meta.dirname, '../../..');
const source = join(root, 'clients/typescript');
const cache = join(root, '.cache/typescript-client');
const installed = join(cache, 'node_modules/@rdc/client');

/** Builds the tarball of the TypeScript client and unpacks it as an installed package. @returns the unpacked files */
export async function installTypeScriptClient(): Promise<string[]> {
  await rm(cache, { recursive: true, force: true });
  await mkdir(installed, { recursive: true });
  await run('npm', ['pack', '--silent', '--pack-destination', cache], { cwd: source });
  const tarball = (await readdir(cache)).find((file) => file.endsWith('.tgz')) ?? 'no tarball';
  await run('tar', ['--extract', '--file', join(cache, tarball), '--strip-components=1', '--directory', installed]);
  return (await readdir(installed, { recursive: true })).sort();
}

/** Compiles a program strictly against the installed client, then runs it some times. */
export async function runTypeScript(
  program: string,
  settings: Readonly<Record<string, string>>,
  times: number,
): Promise<void> {
  const file = join(cache, 'example.ts');
  await writeFile(join(cache, 'package.json'), '{"type": "module"}');
  await writeFile(file, program);
  const options = [
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    'node',
    '--ignoreConfig',
  ];
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, file], { cwd: cache });
  const env = { ...process.env, NODE_OPTIONS: '', ...settings };
  for (let time = 0; time < times; time++) await run(process.execPath, [file], { cwd: cache, env });
}
