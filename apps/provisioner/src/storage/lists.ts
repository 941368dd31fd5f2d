import type { FileRecord } from './commit.js';

/** A line for `sha256sum -c`, with coreutils' escaping of line breaks and backslashes. */
export function manifestLine({ path, sha256 }: FileRecord): string {
  if (sha256 === undefined) return '';
  const isOdd = /[\\\n\r]/.test(path);
  const name = isOdd ? path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : path;
  return `${isOdd ? '\\' : ''}${sha256}  ${name}\n`;
}

/** The lines of a journal that are whole; one that a crash has cut short is left out. */
export function* parseJournal(text: string): Generator {
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry !== null) yield entry;
  }
}

function parseLine(line: string): unknown {
  try {
    return line === '' ? null : JSON.parse(line);
  } catch {
    return null;
  }
}
