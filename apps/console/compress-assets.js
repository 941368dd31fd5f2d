import { readdir, readFile, writeFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';

// Compresses the built scripts and styles once at the highest level, which would take too long for each request.
const assets = new URL('dist/assets/', import.meta.url);
const texts = (await readdir(assets)).filter((name) => /\.(js|css)$/.test(name));
await Promise.all(
  texts.map(async (name) => {
    await writeFile(new URL(`${name}.br`, assets), brotliCompressSync(await readFile(new URL(name, assets))));
  }),
);
