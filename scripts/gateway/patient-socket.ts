import { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const connectTimeoutMs = 10_000;

/**
 * A connection that still reads the answer of the other side when writing has failed.
 *
 * A service that refuses a body answers, for example with 413, and closes while the body is still being sent. The next
 * write then fails, and Node's own socket closes at once and loses an answer that has arrived but was not read. This
 * socket discards the writes that follow such a failure and reads to the end.
 */
class PatientSocket extends Socket {
  private isDeaf = false;

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.isDeaf) done();
    else super._write(chunk, encoding, this.forgiving(done));
  }

  override _writev(
    chunks: { chunk: Buffer | string; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    if (this.isDeaf) done();
    else super._writev?.(chunks, this.forgiving(done));
  }

  private forgiving(done: (error?: Error | null) => void): (error?: Error | null) => void {
    return (error) => {
      if (error) this.isDeaf = true;
      done(error && this.readableEnded ? error : null);
    };
  }
}

/** Connects to a service for undici's pool of connections. */
export const connectPatiently: buildConnector.connector = ({ hostname, port }, callback) => {
  const socket = new PatientSocket({ allowHalfOpen: false });
  const fail = (error: Error): void => {
    callback(error, null);
  };
  socket.setTimeout(connectTimeoutMs, () =>
    socket.destroy(new Error(`The service did not accept a connection within ${String(connectTimeoutMs / 1000)} s.`)),
  );
  socket.once('error', fail).connect(Number(port), hostname, () => {
    socket.off('error', fail).setTimeout(0).setNoDelay(true);
    callback(null, socket);
  });
};
