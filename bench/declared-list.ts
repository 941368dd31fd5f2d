/**
 * Compares a list of SHA-256 sums with as many files, without any file: `node bench/declared-list.ts <lines> <MiB> [order]`.
 * `MiB` is the memory for the declared files, and `order` is `walk` (the default) or `shuffled`. Prints JSON with the
 * seconds of each step and the peak memory of the process.
 */
import type * as Declared from '../apps/provisioner/src/source/declarations/declaration-threads.js';

const built = new URL('../apps/provisioner/dist/source/declarations/declaration-threads.js', import.meta.url).href;
const { DeclarationThreads } = (await import(built)) as typeof Declared;

const [lines, mebibytes, order = 'walk'] = process.argv.slice(2);
const count = Number(lines);

/** A prime that is larger than the number of lines, so that its multiples visit every line once. */
const prime = 1_000_000_007;

const filesPerFolder = 200;
const filesPerRequest = 256;
const pieceBytes = 256 * 1024;

const pathOf = (file: number): string => {
  const folder = Math.floor(file / filesPerFolder);
  return `run-${String(folder % 1000).padStart(4, '0')}/sample-${String(folder).padStart(6, '0')}/reads-${String(file).padStart(8, '0')}.gz`;
};

const digestOf = (file: number): string => file.toString(16).padStart(64, 'f');

function* pieces(): Generator<Buffer> {
  let text = '';
  for (let at = 0; at < count; at += 1) {
    const file = order === 'walk' ? at : Number((BigInt(at) * BigInt(prime)) % BigInt(count));
    text += `${digestOf(file)}  ${pathOf(file)}\n`;
    if (text.length < pieceBytes) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

function* groups(): Generator<string[]> {
  for (let from = 0; from < count; from += filesPerRequest)
    yield Array.from({ length: Math.min(filesPerRequest, count - from) }, (_, at) => pathOf(from + at));
}

const seconds: Record<string, number> = {};
let begun = performance.now();
const lap = (step: string): void => {
  seconds[step] = Math.round((performance.now() - begun) / 100) / 10;
  begun = performance.now();
};

const threads = new DeclarationThreads(Number(mebibytes) * 1024 * 1024);
const found = await threads.use(async (thread) => {
  await thread.request('open', { path: 'SHA256SUMS' });
  for (const bytes of pieces()) await thread.request('write', { bytes });
  await thread.request('end', {});
  lap('read');
  const facts = await thread.request('conclude', {});
  for (const paths of groups()) await thread.request('compare', { paths, sizes: paths.map(() => 1) });
  await thread.request('searchMissing', {});
  const { missing, compared } = await thread.request('finish', {});
  lap('compare');
  let returned = 0;
  for (const paths of groups()) {
    const checksums = await thread.request('checksums', { paths });
    returned += checksums.filter(({ sha256 }) => sha256 !== undefined).length;
  }
  lap('checksums');
  return { declared: facts.count, missing, compared, returned };
}, true);
await threads.onApplicationShutdown();
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
const { userCPUTime, systemCPUTime } = process.resourceUsage();
const processorSeconds = Math.round((userCPUTime + systemCPUTime) / 1e6);
process.stdout.write(`${JSON.stringify({ ...found, seconds, processorSeconds, peakMb })}\n`);
