import type { FileRecord } from '../model/commit.js';

/** A line for `sha256sum -c`, with coreutils' escaping of line breaks and backslashes. */
export function manifestLine({ path, sha256 }: FileRecord): string {
  if (sha256 === undefined) return '';
  const isOdd = /[\\\n\r]/.test(path);
  const name = isOdd ? path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : path;
  return `${isOdd ? '\\' : ''}${sha256}  ${name}\n`;
}

/** What a line of a journal says; null for one that a crash has cut short. */
export function parseLine(line: string): unknown {
  try {
    return line === '' ? null : JSON.parse(line);
  } catch {
    return null;
  }
}

/**
 * The lines of a list of ours, some at a time. They end at line feeds only: whatever else readers of lines take for an
 * end, U+2028 for one, may stand in a name.
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
