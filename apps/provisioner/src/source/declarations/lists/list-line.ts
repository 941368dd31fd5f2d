import { algorithmByLength, algorithmOf, isDigest, type Algorithm } from '../algorithms.js';

/** The checksum that a line declares. */
export interface ListLine {
  readonly algorithm: Algorithm;
  readonly digest: string;
  /** The path as the line states it, without escapes; null if the line is a digest alone. */
  readonly path: string | null;
}

/** `SHA256 (path) = digest`, as `--tag`, BSD and OpenSSL write it. */
const tagged = /^(\\?)([A-Za-z][A-Za-z0-9/_-]*) ?\((.+)\) ?= ?([0-9A-Za-z+/=]+)[ \t]*$/s;

/** `digest  path` or `digest *path`, as coreutils writes it. */
const plain = /^(\\?)([0-9A-Fa-f]+)[ \t]+\*?(.+)$/s;

const bare = /^[0-9A-Fa-f]{8,}[ \t]*$/;

/** A checksum and a count of blocks or bytes, as `sum` and `cksum` write them. */
const summed = /^\d+[ \t]+\d+[ \t]+\S/;

/**
 * Returns the checksum of a line.
 *
 * @param named the algorithm in the name of the list; null if the name states none
 * @returns `unsupported` for a checksum of an unsupported algorithm; null if the line is invalid
 */
export function parseListLine(line: string, named: Algorithm | null): ListLine | 'unsupported' | null {
  const [, tagEscape, word, taggedPath = '', value = ''] = tagged.exec(line) ?? [];
  if (word !== undefined) {
    const algorithm = algorithmOf(word);
    if (!algorithm) return 'unsupported';
    return isDigest(value, algorithm) ? { algorithm, digest: value, path: unescaped(taggedPath, tagEscape) } : null;
  }
  if (bare.test(line)) return declaredBy(line.trim(), null, named);
  const [, escape, digest, path = ''] = plain.exec(line) ?? [];
  if (named === null && summed.test(line)) return 'unsupported';
  return digest === undefined ? null : declaredBy(digest, unescaped(path, escape), named);
}

function declaredBy(digest: string, path: string | null, named: Algorithm | null): ListLine | 'unsupported' | null {
  const algorithm = named ?? algorithmByLength(digest);
  if (!algorithm) return digest.length >= 8 ? 'unsupported' : null;
  return isDigest(digest, algorithm) ? { algorithm, digest, path } : null;
}

const meanings: Readonly<Record<string, string>> = { '\\\\': '\\', '\\n': '\n', '\\r': '\r' };

/** Returns the path of a line, which coreutils marks with a backslash at its beginning if the path has escapes. */
function unescaped(path: string, mark: string | undefined): string {
  return mark === '\\' ? path.replace(/\\[\\nr]/g, (sequence) => meanings[sequence] ?? sequence) : path;
}
