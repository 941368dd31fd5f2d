import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

/** The maximum size of the scripts that every page needs, compressed. The build fails if they are larger. */
const mostBytes = 300_000;

const dist = new URL('dist/', import.meta.url);
const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'));
const [entry] = Object.entries(manifest).find(([, { isEntry }]) => isEntry);

let bytes = 0;
for (const name of neededBy(entry)) bytes += gzipSync(await readFile(new URL(manifest[name].file, dist))).length;
console.log(`First load: ${Math.ceil(bytes / 1000)} kB of compressed script (at most ${mostBytes / 1000} kB).`);
if (bytes > mostBytes) process.exitCode = 1;

/** Returns a script and all scripts that it loads. */
function neededBy(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const other of manifest[name].imports ?? []) neededBy(other, found);
  return found;
}
