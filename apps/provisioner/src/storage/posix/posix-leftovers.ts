import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Subject } from '../../source/identifier.js';
import type { Layout } from '../layout.js';
import type { Leftover } from '../leftover.js';
import { ignoring, removeFile, temporaryEnding } from './durable-file.js';
import { removeTree } from './remove-tree.js';

const kinds = ['dataset', 'submission'] as const;
const dayMs = 24 * 60 * 60_000;

/** What killed processes have left in a folder. @param discard removes what is staged of a subject */
export async function* posixLeftovers(
  layout: Layout,
  discard: (subject: Subject) => Promise<void>,
): AsyncGenerator<Leftover> {
  const staging = join(layout.data, '.staging');
  for (const kind of kinds) {
    for (const id of await namesIn(join(staging, kind))) {
      const subject = { kind, id };
      const found = await leftoverAt(layout, layout.staging(subject), () => discard(subject));
      if (found) yield { ...found, subject };
    }
  }
  const aside = (await namesIn(layout.removed)).map((name) => join(layout.removed, name));
  const probes = (await namesIn(staging))
    .filter((name) => name.startsWith('probe-'))
    .map((name) => join(staging, name));
  for (const path of [...aside, ...probes]) {
    const found = await leftoverAt(layout, path, () => removeTree(path));
    if (found) yield found;
  }
  for (const folder of recordFolders(layout)) {
    for (const name of (await namesIn(folder)).filter((each) => each.endsWith(temporaryEnding))) {
      const path = join(folder, name);
      const found = await leftoverAt(layout, path, async () => {
        await removeFile(path);
      });
      if (found) yield found;
    }
  }
}

/** Where records are written aside first; of the ended imports the latest days, for their folders grow for ever. */
function recordFolders({ requests }: Layout): string[] {
  const perKind = ['dataset', 'submission', 'verify'].flatMap((kind) =>
    ['open', 'last', 'spelled'].map((each) => `${each}/${kind}`),
  );
  const days = [0, 1].map((ago) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10).replaceAll('-', '/'));
  const folders = [...perKind, 'requests', 'status', 'cancel', 'shared', 'probe', ...days.map((day) => `done/${day}`)];
  return folders.map((folder) => join(requests, folder));
}

/** What stands at a path, touched when the newest of what is directly in it, or one below, was. */
async function leftoverAt(layout: Layout, path: string, remove: () => Promise<void>): Promise<Leftover | null> {
  const touchedAt = await newestIn(path, 2);
  return touchedAt === null
    ? null
    : { name: relative(join(layout.data, '..'), path), subject: null, touchedAt, remove };
}

async function newestIn(path: string, depth: number): Promise<number | null> {
  const stats = await ignoring(['ENOENT'], stat(path));
  if (!stats) return null;
  if (!stats.isDirectory() || depth === 0) return stats.mtimeMs;
  const below = await Promise.all((await namesIn(path)).map((name) => newestIn(join(path, name), depth - 1)));
  return Math.max(stats.mtimeMs, ...below.map((each) => each ?? 0));
}

async function namesIn(folder: string): Promise<string[]> {
  return (await ignoring(['ENOENT', 'ENOTDIR'], readdir(folder))) ?? [];
}
