import type { FileRecord } from '../model/commit.js';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';

/** Returns a line for `sha256sum -c` or its siblings, with coreutils' escaping of line breaks and backslashes. */
export function manifestLine({ path, sha256, digests }: FileRecord, algorithm: ManifestAlgorithm): string {
  const digest = algorithm === 'sha256' ? sha256 : digests?.[algorithm];
  if (digest === undefined) return '';
  const isEscaped = /[\\\n\r]/.test(path);
  const name = isEscaped ? path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : path;
  return `${isEscaped ? '\\' : ''}${digest}  ${name}\n`;
}

/** Parses a line of a journal. @returns null if a crash truncated the line */
export function parseLine(line: string): unknown {
  try {
    return line === '' ? null : JSON.parse(line);
  } catch {
    return null;
  }
}

/**
 * Yields the lines of a list, several at a time. Lines end at line feeds only, because a name may contain other line
 * separators, such as U+2028.
 */
export async function* linesIn(list: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of list) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}
