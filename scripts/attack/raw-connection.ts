import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer as it was received. */
export interface RawAnswer {
  readonly status: number;
  /** Values by lower-case name; of a repeated header, the last value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body without its chunks' framing; each character is one byte. */
  readonly body: string;
}

const patienceMs = 20_000;

/** A connection on which a test or an attack writes arbitrary bytes and reads the answers. */
export class RawConnection {
  readonly socket: Socket;
  private received = '';
  private hasEnded = false;

  private constructor(socket: Socket) {
    this.socket = socket.setNoDelay(true);
    socket.on('data', (bytes) => (this.received += bytes.toString('latin1')));
    for (const event of ['end', 'error', 'close']) socket.on(event, () => (this.hasEnded = true));
  }

  static async open(port: number, host = '127.0.0.1'): Promise<RawConnection> {
    const socket = connect(port, host);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Opens a connection, writes, reads one answer, and closes. @returns undefined if no answer came */
  static async exchange(port: number, bytes: string, method?: string, host?: string): Promise<RawAnswer | undefined> {
    const connection = await RawConnection.open(port, host);
    try {
      connection.write(bytes);
      return await connection.answer(method);
    } finally {
      connection.destroy();
    }
  }

  /** Writes text of which each character is one byte. */
  write(bytes: string): void {
    if (this.socket.writable) this.socket.write(bytes, 'latin1');
  }

  destroy(): void {
    this.socket.destroy();
  }

  /**
   * Reads the next final answer and skips interim answers (1xx).
   *
   * @param method of the request, because an answer to HEAD has no body
   * @returns undefined if the connection ends before a whole answer came, or if none comes in time
   */
  async answer(method = 'GET', waitMs = patienceMs): Promise<RawAnswer | undefined> {
    const until = performance.now() + waitMs;
    for (;;) {
      const parsed = parseAnswer(this.received, method, this.hasEnded);
      if (parsed) {
        this.received = this.received.slice(parsed.length);
        if (parsed.answer.status >= 200) return parsed.answer;
      } else if (this.hasEnded || !(await this.change(until))) return undefined;
    }
  }

  /** Waits until the other side has closed. @returns whether it closed in time */
  async closes(waitMs = patienceMs): Promise<boolean> {
    const until = performance.now() + waitMs;
    while (!this.hasEnded) if (!(await this.change(until))) return false;
    return true;
  }

  /** Waits for bytes or the end. @returns false if neither came in time */
  private change(until: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (came: boolean): void => {
        clearTimeout(timer);
        for (const event of ['data', 'end', 'close']) this.socket.off(event, onChange);
        resolve(came);
      };
      const onChange = (): void => {
        settle(true);
      };
      const timer = setTimeout(settle, Math.max(0, until - performance.now()), false);
      for (const event of ['data', 'end', 'close']) this.socket.once(event, onChange);
    });
  }
}

interface Parsed {
  readonly answer: RawAnswer;
  /** Number of bytes of the answer. */
  readonly length: number;
}

function parseAnswer(bytes: string, method: string, hasEnded: boolean): Parsed | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.slice(0, head).split('\r\n');
  const status = Number(statusLine.slice(9, 12));
  const headers = Object.fromEntries(lines.map(pairOf));
  const rest = bytes.slice(head + 4);
  const isBodiless = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  const body = isBodiless ? { text: '', length: 0 } : bodyOf(rest, headers, hasEnded);
  return body && { answer: { status, headers, body: body.text }, length: head + 4 + body.length };
}

function pairOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

function bodyOf(
  rest: string,
  headers: Readonly<Record<string, string>>,
  hasEnded: boolean,
): { text: string; length: number } | undefined {
  if (headers['transfer-encoding'] === 'chunked') return chunksOf(rest);
  if (headers['content-length'] === undefined) return hasEnded ? { text: rest, length: rest.length } : undefined;
  const length = Number(headers['content-length']);
  return rest.length < length ? undefined : { text: rest.slice(0, length), length };
}

function chunksOf(rest: string): { text: string; length: number } | undefined {
  let text = '';
  let at = 0;
  for (;;) {
    const line = rest.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(rest.slice(at, line), 16);
    if (rest.length < line + 2 + size + 2) return undefined;
    if (size === 0) return { text, length: line + 4 };
    text += rest.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
