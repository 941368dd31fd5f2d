import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { CannotStartError } from './cannot-start.error.ts';
import { lock } from './lock.ts';

const run = promisify(execFile);
const sharedInputs = [
  ...['.swcrc', 'nest-package.json', 'package-lock.json', 'tsconfig.base.json'],
  ...['docs/openapi/catalog-api.json', 'docs/openapi/provisioner.json'],
];
const fingerprintFile = 'dist/.sources';

/** Options of a build. */
export interface BuildOptions {
  /** Absolute path of the checkout. */
  readonly root: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Builds every workspace whose build output is missing or older than its sources. Systems that start from one checkout
 * at the same time build one after the other. An interrupted build is repeated at the next start.
 *
 * @throws CannotStartError with the output of the compiler if a build fails
 */
export async function buildWhatIsNotBuilt({ root, say, signal }: BuildOptions): Promise<void> {
  if ((await staleWorkspaces(root)).length === 0) return;
  const held = await lock(join(root, 'node_modules/.build-lock'), () => {
    say('Waiting for another start to finish its build ...');
  });
  try {
    const stale = await staleWorkspaces(root);
    if (stale.length > 0) say(`Building ${stale.join(', ')} ...`);
    await Promise.all(stale.map((workspace) => build(root, workspace, signal)));
  } finally {
    held.release();
  }
}

async function build(root: string, workspace: string, signal: AbortSignal): Promise<void> {
  const fingerprint = await fingerprintOf(root, workspace);
  try {
    await run('npm', ['run', 'build', '--workspace', workspace], { cwd: root, signal });
  } catch (cause) {
    signal.throwIfAborted();
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    throw new CannotStartError(`The build of ${workspace} failed:\n${`${stdout}\n${stderr}`.trim()}`, cause);
  }
  await writeFile(join(root, workspace, fingerprintFile), fingerprint);
}

async function staleWorkspaces(root: string): Promise<string[]> {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const stale: string[] = [];
  for (const workspace of workspaces) {
    const built = await readFile(join(root, workspace, fingerprintFile), 'utf8').catch(() => undefined);
    if (built !== (await fingerprintOf(root, workspace))) stale.push(workspace);
  }
  return stale;
}

/** Returns a digest of all files on which the build output of a workspace depends. */
async function fingerprintOf(root: string, workspace: string): Promise<string> {
  const digest = createHash('sha256');
  const files = [...sharedInputs.filter((file) => existsSync(join(root, file))), ...(await sourcesOf(root, workspace))];
  for (const file of files) digest.update(`${file}\0`).update(await readFile(join(root, file)));
  return digest.digest('hex');
}

async function sourcesOf(root: string, workspace: string): Promise<string[]> {
  const entries = await readdir(join(root, workspace), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/\/(dist|node_modules|test|generated)\/|\.spec\.ts$/.test(file))
    .sort();
}

if (import.meta.main) {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  await buildWhatIsNotBuilt({ root: process.cwd(), say, signal: new AbortController().signal }).catch(
    (error: unknown) => {
      if (!(error instanceof CannotStartError)) throw error;
      say(error.message);
      process.exitCode = 1;
    },
  );
}
