import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program with Node. @throws Error with the output of the program if it fails */
export async function runNode(
  words: readonly string[],
  cwd: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    await run(process.execPath, [...words], { cwd, env: { ...process.env, NODE_OPTIONS: '', ...settings } });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${words.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}
