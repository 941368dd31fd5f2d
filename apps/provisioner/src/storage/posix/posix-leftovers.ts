import { opendir, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Subject } from '../../model/identifier.js';
import { openImportFolders, type Layout } from '../../model/layout.js';
import { importIdOf, type Leftover } from '../../model/leftover.js';
import { ignoring, isSetAside, putBack, removeFile, temporaryEnding } from './durable-file.js';
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
      const remove = (): Promise<boolean> => discard(subject).then(() => true);
      const found = await leftoverAt(layout, layout.staging(subject), remove, 2);
      if (found) yield { ...found, subject };
    }
  }
  const aside = (await namesIn(layout.removed)).map((name) => join(layout.removed, name));
  const tried = join(layout.requests, 'probe');
  const probes = [
    ...(await namesIn(staging)).filter((name) => name.startsWith('probe-')).map((name) => join(staging, name)),
    ...(await namesIn(tried)).map((name) => join(tried, name)),
  ];
  for (const path of [...aside, ...probes]) {
    const found = await leftoverAt(layout, path, () => removeTree(path).then(() => true));
    if (found) yield found;
  }
  for (const folder of openImportFolders.map((name) => join(layout.requests, name))) {
    for (const path of (await namesIn(folder)).map((name) => join(folder, name))) {
      const importId = importIdOf(path);
      const found = importId === undefined ? null : await leftoverAt(layout, path, () => removeFile(path));
      if (found) yield { ...found, importId };
    }
  }
  for (const folder of [layout.stagedDocuments, layout.requests, layout.quarantine]) {
    for await (const path of temporariesBelow(layout, folder)) {
      const remove = (): Promise<boolean> => (isSetAside(path) ? putBack(path).then(() => true) : removeFile(path));
      const found = await leftoverAt(layout, path, remove);
      if (found) yield found;
    }
  }
}

/** What is not whole yet below a folder; of the ended imports in the latest days only, for their folders grow for ever. */
async function* temporariesBelow(layout: Layout, folder: string): AsyncGenerator<string> {
  if (isOldDay(layout, folder)) return;
  for await (const entry of (await ignoring(['ENOENT'], opendir(folder))) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* temporariesBelow(layout, path);
    else if (entry.name.endsWith(temporaryEnding)) yield path;
  }
}

/** Whether a folder is one of ended imports, and neither of today or yesterday nor holds them. */
function isOldDay({ requests }: Layout, folder: string): boolean {
  const ended = join(requests, 'done');
  const latest = [0, 1].map((ago) =>
    new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10).replaceAll('-', '/'),
  );
  return folder.startsWith(ended) && !latest.some((day) => `${join(ended, day)}/`.startsWith(`${folder}/`));
}

/** What stands at a path, touched when the newest of it was; below an attempt's folder nobody looks, for that may be much. */
async function leftoverAt(
  layout: Layout,
  path: string,
  remove: Leftover['remove'],
  depth = 1,
): Promise<Leftover | null> {
  const touchedAt = await newestIn(path, depth);
  return touchedAt === null
    ? null
    : { name: relative(join(layout.data, '..'), path), subject: null, touchedAt, remove };
}

async function newestIn(path: string, depth: number): Promise<number | null> {
  const stats = await ignoring(['ENOENT'], stat(path));
  if (!stats) return null;
  // What was moved aside keeps the time of its last writing.
  const touchedAt = Math.max(stats.mtimeMs, stats.ctimeMs);
  if (!stats.isDirectory() || depth === 0) return touchedAt;
  const below = await Promise.all((await namesIn(path)).map((name) => newestIn(join(path, name), depth - 1)));
  return Math.max(touchedAt, ...below.map((each) => each ?? 0));
}

async function namesIn(folder: string): Promise<string[]> {
  return (await ignoring(['ENOENT', 'ENOTDIR'], readdir(folder))) ?? [];
}
