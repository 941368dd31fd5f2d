import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runNode } from './run-node.ts';

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

/** Compiles programs strictly against the installed client, then runs each. */
export async function runTypeScript(
  programs: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await writeFile(join(cache, 'package.json'), '{"type": "module"}');
  const files = programs.map((_program, index) => join(cache, `example-${String(index)}.ts`));
  for (const [index, file] of files.entries()) await writeFile(file, programs[index] ?? '');
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  await runNode([join(root, 'node_modules/typescript/bin/tsc'), '--ignoreConfig', ...options, ...files], cache);
  for (const file of files) await runNode([file], cache, settings);
}
