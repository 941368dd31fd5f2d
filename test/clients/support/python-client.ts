import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The Python packages with which the client is built and tested. */
const tools = [
  ...['build==1.6.1', 'hatchling==1.33.0', 'openapi-python-client==0.29.1'],
  ...['httpx==0.28.1', 'attrs==26.1.0', 'typing-extensions==4.16.0'],
  ...['mypy==2.4.1', 'pytest==9.2.0', 'ruff==0.17.6'],
];

const root = join(import.meta.dirname, '../../..');
const source = join(root, 'clients/python');
const cache = join(root, '.cache/python-client');
const installed = join(cache, 'installed');

/** The Python client, built as a wheel and installed in a folder. */
export class PythonClient {
  private constructor(private readonly programs: string) {}

  /** Installs the tools unless they are there, then builds the source distribution and, from it, the wheel. */
  static async build(): Promise<PythonClient> {
    const client = new PythonClient(join(await environment(), 'bin'));
    const dist = join(cache, 'dist');
    for (const folder of [dist, installed]) await rm(folder, { recursive: true, force: true });
    await client.python(['-m', 'build', '--no-isolation', '--outdir', dist]);
    const wheel = (await readdir(dist)).find((file) => file.endsWith('.whl')) ?? 'no wheel';
    await client.python(['-m', 'zipfile', '--extract', join(dist, wheel), installed]);
    return client;
  }

  /** Runs Python in the folder of the client, with the installed client. @returns its output */
  async python(words: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<string> {
    const env = { ...process.env, PYTHONPATH: installed, PYTHONPYCACHEPREFIX: join(cache, 'bytecode'), ...settings };
    try {
      return (await run(join(this.programs, 'python'), [...words], { cwd: source, env })).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`python ${words.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
    }
  }
}

/** Installs the tools in an environment for this list of versions. @returns its folder */
async function environment(): Promise<string> {
  const folder = join(cache, 'environment');
  // The mark is written last, so that an interrupted installation is repeated.
  const mark = join(folder, `${tools.join(' ').replaceAll(/[^\w.]+/g, '-')}.installed`);
  if (!existsSync(mark)) {
    await mkdir(cache, { recursive: true });
    await run('python3', ['-m', 'venv', '--clear', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...tools]);
    await writeFile(mark, '');
  }
  return folder;
}
