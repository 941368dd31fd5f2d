import { UsageError } from '@rdc/cli';
import { readFile, stat } from 'node:fs/promises';

/** The size of a file that a command was given, in bytes. @throws UsageError when it cannot be read */
export async function sizeOf(file: string): Promise<number> {
  return readable(file, async () => (await stat(file)).size);
}

/** Its text. @throws UsageError when it cannot be read */
export async function readText(file: string): Promise<string> {
  return readable(file, () => readFile(file, 'utf8'));
}

async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
