import { readFile, writeFile } from 'node:fs/promises';
import { freePort, isFree } from '../free-port.ts';

/**
 * Picks a port of 127.0.0.1 for each name and writes the ports to the file. If a name's previous port in the file is
 * free, the name keeps that port.
 */
export async function pickPorts<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const kept = await keptPorts(file);
  const picked: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const before = kept[name];
    picked[name] = before !== undefined && (await isFree(before, '127.0.0.1')) ? before : await freePort();
  }
  await writeFile(file, `${JSON.stringify(picked, null, 2)}\n`);
  return picked as Record<Name, number>;
}

async function keptPorts(file: string): Promise<Partial<Record<string, number>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Record<string, number>>;
  } catch {
    return {};
  }
}
