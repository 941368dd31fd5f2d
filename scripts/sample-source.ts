import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sampleDeliveries } from './sample-source/deliveries.ts';
import { filesOf, type Delivery } from './sample-source/delivery.ts';

/**
 * Writes the three sample deliveries into a source folder: about 50 MB, the same bytes on every machine.
 *
 * A delivery appears only when it is complete. Existing deliveries are not changed. An interrupted run can be repeated.
 *
 * @returns the references of the new deliveries
 */
export async function laySampleSource(root: string): Promise<string[]> {
  const staging = `${resolve(root)}.laying`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const laid: string[] = [];
  for (const delivery of sampleDeliveries) {
    const place = join(root, delivery.reference);
    if (await exists(place)) continue;
    await write(delivery, staging);
    await rename(staging, place);
    laid.push(delivery.reference);
  }
  return laid;
}

async function write(delivery: Delivery, folder: string): Promise<void> {
  const folders = new Set<string>();
  for (const { path, bytes } of filesOf(delivery)) {
    const target = join(folder, path);
    const parent = dirname(target);
    if (!folders.has(parent)) await mkdir(parent, { recursive: true });
    folders.add(parent);
    await writeFile(target, bytes);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

if (import.meta.main) {
  const root = process.argv[2];
  if (root === undefined) throw new Error('usage: npx node scripts/sample-source.ts <source folder>');
  const laid = await laySampleSource(root);
  console.log(laid.length > 0 ? `wrote ${laid.join(', ')} to ${root}` : `all sample deliveries exist in ${root}`);
}
