import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More requests than any client sends on one connection without waiting for an answer. */
const maxWaiting = 100;

interface Line {
  /** The last request. */
  latest: IncomingMessage;
  /** Actions for the time after the current answer, in this order. */
  readonly waiting: (() => void)[];
  hasEnded: boolean;
}

/**
 * A queue of requests for each connection. A request waits until the answer to the previous request has been sent. A
 * connection with too many waiting requests is cut.
 */
export class Turns {
  private readonly lines = new WeakMap<Socket, Line>();

  /** Calls `handle` after the answers to all earlier requests, unless the connection closes before. */
  take(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const { socket } = request;
    const begin = (): void => {
      response.once('close', () => {
        this.next(socket);
      });
      handle();
    };
    const line = this.lines.get(socket);
    if (line) {
      line.latest = request;
      if (line.waiting.push(begin) > maxWaiting) socket.destroy();
    } else {
      this.lines.set(socket, { latest: request, waiting: [], hasEnded: false });
      begin();
    }
  }

  /**
   * Calls `handle` after all requests of a connection were answered; further calls do nothing. If the body of the last
   * request is incomplete, the connection is cut after the bytes that are already written.
   */
  end(socket: Socket, handle: () => void): void {
    const line = this.lines.get(socket);
    if (!line) handle();
    else if (!line.latest.complete) socket.destroySoon();
    else if (!line.hasEnded) {
      line.hasEnded = true;
      line.waiting.push(handle);
    }
  }

  private next(socket: Socket): void {
    const begin = socket.writable ? this.lines.get(socket)?.waiting.shift() : undefined;
    if (begin) begin();
    else this.lines.delete(socket);
  }
}
