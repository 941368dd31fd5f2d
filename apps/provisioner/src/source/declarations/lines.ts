/** The longest line that can say anything: a digest, and a path of 4096 bytes of which each is escaped. */
export const maxLineLength = 16 * 1024;

/** What is looked at together: texts of this size V8 keeps among what lives shortly. */
const pieceBytes = 64 * 1024;

/**
 * The lines of a text in UTF-8, some at a time, without a byte order mark and with whatever end lines have. Of a line
 * that is too long comes a beginning that is too long as well, and then nothing more.
 */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const read of bytes) {
    for (let at = 0; at < read.length; at += pieceBytes) {
      rest += decoder.decode(read.subarray(at, at + pieceBytes), { stream: true });
      // A carriage return at the end may be half of what ends a line.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      yield rest.length > maxLineLength ? [...lines, rest] : lines;
      if (rest.length > maxLineLength) return;
    }
  }
  yield (rest + decoder.decode()).split('\r');
}
