import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs a package of PyPI into `.cache` unless it is there. @returns the folder of its programs */
export async function pythonPackage(name: string, version: string): Promise<string> {
  const folder = join(import.meta.dirname, `../../../../.cache/${name}-${version}`);
  // The mark is written last, so that an interrupted installation is repeated.
  const mark = join(folder, 'installed');
  if (!existsSync(mark)) {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', `${name}==${version}`]);
    await writeFile(mark, '');
  }
  return join(folder, 'bin');
}
