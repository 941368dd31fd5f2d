import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Installs a package of PyPI into `.cache` unless it is there.
 *
 * @param alone packages with versions that are installed in addition, without their dependencies
 * @returns the folder of its programs
 */
export async function pythonPackage(name: string, version: string, alone: readonly string[] = []): Promise<string> {
  const folder = join(import.meta.dirname, '../../.cache', [`${name}-${version}`, ...alone].join('+'));
  const pip = (...parameters: string[]): Promise<unknown> =>
    run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...parameters]);
  // The mark is written last, so that an interrupted installation is repeated.
  const mark = join(folder, 'installed');
  if (!existsSync(mark)) {
    await run('python3', ['-m', 'venv', folder]);
    await pip(`${name}==${version}`);
    if (alone.length > 0) await pip('--no-deps', ...alone);
    await writeFile(mark, '');
  }
  return join(folder, 'bin');
}
