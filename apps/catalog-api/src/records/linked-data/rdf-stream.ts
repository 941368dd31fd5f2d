import { StringDecoder } from 'node:string_decoder';
import { Transform, type TransformCallback } from 'node:stream';

/** Converts a stream of lines, each of which is a record in JSON, to text between a head and a tail. */
export class RecordLines extends Transform {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(
    private readonly convert: (line: string) => string,
    head: string,
    private readonly tail: string,
  ) {
    super();
    this.push(head);
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    const lines = `${this.rest}${this.decoder.write(chunk)}`.split('\n');
    this.rest = lines.pop() ?? '';
    this.finish(() => this.text(lines), done);
  }

  override _flush(done: TransformCallback): void {
    this.finish(() => this.text([this.rest]) + this.tail, done);
  }

  private text(lines: readonly string[]): string {
    return lines.map((line) => (line === '' ? '' : this.convert(line))).join('');
  }

  private finish(text: () => string, done: TransformCallback): void {
    try {
      done(null, text());
    } catch (error) {
      done(error as Error);
    }
  }
}
