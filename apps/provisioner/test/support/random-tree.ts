import { linkSync, mkdirSync, openSync, closeSync, ftruncateSync, utimesSync, writeSync, chmodSync } from 'node:fs';
import { join } from 'node:path';
import { randomOf } from './random.js';

/** Names that are valid on Linux and that programs often handle wrongly. */
const oddNames = [
  ...['new\nline', 'tab\there', 'quo"te', "apo'strophe", 'back\\slash', '-rf', '%0A', '..hidden', 'dot.', ' space '],
  ...['\u{1F9EC}', 'e\u0301', 'carriage\rreturn', '$(x)', 'a'.repeat(255), 'é'.repeat(127), '~', '*', '\u202Ertl'],
];

/** Sizes around every limit between two ways of copying. */
const sizes = [0, 1, 4096, 65_535, 65_536, 1_048_576, 1_048_577, 4_194_304, 4_194_305, 8_388_608, 8_388_609];

/** Writes a tree with odd names, sizes, holes, times, modes and hard links. The tree is the same for the same seed. */
export function layRandomTree(folder: string, seed: number): void {
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const fill = (into: string, depth: number): void => {
    mkdirSync(into, { recursive: true });
    const entries = Math.floor(random() * 8) + (depth === 0 ? 2 : 0);
    let previous: string | null = null;
    for (let entry = 0; entry < entries; entry += 1) {
      const name = random() < 0.4 ? pick(oddNames.slice(entry, entry + 8)) : `plain-${String(entry)}`;
      const path = join(into, random() < 0.4 ? name : `${String(entry)}.${name}`.slice(0, 100));
      if (random() < 0.3 && depth < 4) fill(path, depth + 1);
      else if (previous !== null && random() < 0.1)
        createUnlessExists(() => {
          linkSync(previous ?? '', path);
        });
      else previous = layFile(path, pick(sizes), random);
    }
    setTime(into, random);
  };
  fill(folder, 0);
}

function layFile(path: string, size: number, random: () => number): string | null {
  return createUnlessExists(() => {
    const file = openSync(path, 'wx');
    if (random() < 0.2) ftruncateSync(file, size * 2);
    else {
      const bytes = Buffer.alloc(Math.min(size, 1 << 20), String(random()));
      for (let position = 0; position < size; position += bytes.length)
        writeSync(file, bytes, 0, Math.min(bytes.length, size - position), position);
    }
    closeSync(file);
    chmodSync(path, random() < 0.5 ? 0o644 : 0o600);
    setTime(path, random);
    return path;
  });
}

/** Sets a modification time that depends on the seed. */
function setTime(path: string, random: () => number): void {
  const seconds = 1_000_000_000 + random() * 700_000_000;
  utimesSync(path, seconds, seconds);
}

/** Creates an entry. @returns null if the name exists */
function createUnlessExists<T>(create: () => T): T | null {
  try {
    return create();
  } catch (error) {
    if (['EEXIST', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
