import { Transform, type TransformCallback } from 'node:stream';

/** Writes an envelope around rows. Each row begins with the separator, which is removed from the first row. */
export class ListStream extends Transform {
  private opened = false;

  constructor(private readonly envelope: { readonly open: string; readonly close: string }) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (!this.opened && chunk.length > 0) {
      this.opened = true;
      this.push(this.envelope.open);
      done(null, chunk.subarray(1));
      return;
    }
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    done(null, this.opened ? this.envelope.close : this.envelope.open + this.envelope.close);
  }
}
