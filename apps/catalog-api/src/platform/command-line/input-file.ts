import { UsageError } from '@rdc/cli';
import { readFile, stat } from 'node:fs/promises';

/** Returns the size of a file in bytes. @throws UsageError if the file cannot be read */
export async function sizeOf(file: string): Promise<number> {
  return readable(file, async () => (await stat(file)).size);
}

/** Returns the text of a file. @throws UsageError if the file cannot be read */
export async function readText(file: string): Promise<string> {
  return readable(file, () => readFile(file, 'utf8'));
}

async function readable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
