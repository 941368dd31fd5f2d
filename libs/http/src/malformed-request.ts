import { AppError, envelopeOf, statusOf, type ErrorCode } from '@rdc/errors';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Time in which a caller may read the answer before the connection is cut, however much the caller sends. */
const lingerMs = 1000;

const notHttp = ['input.invalid', 'The request is not valid HTTP/1.1.'] as const;

const noMethod = ['method.unknown', 'The method of the request is not one that this service knows.'] as const;

const otherVersion = ['version.unknown', 'The service speaks HTTP/1.1 and takes HTTP/1.0.'] as const;

const tooSlow = ['request.timeout', 'The request took too long to arrive; send it again, all at once.'] as const;

/** The meanings of the errors by which Node refuses a request; every other one is that of `notHttp`. */
const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'input.headers_too_large',
    'The address and the headers of the request are too large: at most 16 KiB.',
  ],
  HPE_INVALID_METHOD: noMethod,
  HPE_INVALID_VERSION: otherVersion,
  HPE_PAUSED_H2_UPGRADE: otherVersion,
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
};

/** What Node tells of a request that it refuses. */
interface ParseError extends Error {
  readonly code?: unknown;
  /** The bytes in which the fault was found. */
  readonly rawPacket?: unknown;
}

/** A request line begins with a token of RFC 9110, section 5.6.2, and a space; other bytes are no request with a method. */
const method = /^[\w!#$%&'*+.^`|~-]+ /;

function meaningOf({ code, rawPacket }: ParseError): readonly [ErrorCode, string] {
  const begun = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 100) : '';
  if (code === 'HPE_INVALID_METHOD' && !method.test(begun)) return notHttp;
  return meanings[String(code)] ?? notHttp;
}

/**
 * Answers requests that cannot be read as HTTP with the envelope of every other error, and closes their connections.
 * Nothing is written in the middle of an answer, or while an earlier request of the connection still waits for its own.
 */
export class MalformedRequests {
  private readonly answers = new WeakMap<Socket, ServerResponse>();
  private readonly answered = new WeakSet<Socket>();

  /** Watches an application. A request without one `Host` goes no further than the hook that is added here. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onRequest', ({ raw }, reply, done) => {
      this.answers.set(raw.socket, reply.raw);
      if (hasOneHost(raw)) {
        done();
        return;
      }
      void reply.header('Connection', 'close');
      done(new AppError(notHttp[0], hostAdvice));
    });
    const { server } = instance;
    server.on('connect', (_request, socket) => {
      this.refuse(socket as Socket, noMethod);
    });
    // An expectation that is not known may be ignored (RFC 9110, section 10.1.1); Node would answer it without a body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }

  /** Answers what Node's parser, or its watch over slow requests, refuses. */
  readonly answer = (error: ParseError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || this.answered.has(socket)) return;
    const answer = this.answers.get(socket);
    const isAnswering = answer !== undefined && !answer.writableFinished;
    if (isAnswering && (answer.headersSent || answer.req.complete)) socket.destroy(error);
    else this.refuse(socket, meaningOf(error));
  };

  private refuse(socket: Socket, [code, sentence]: readonly [ErrorCode, string]): void {
    this.answered.add(socket);
    socket.on('error', () => undefined);
    socket.end(answerOf(new AppError(code, sentence)));
    // A connection that is cut while bytes arrive loses the answer, so the caller has time to read it.
    const cut = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => {
      clearTimeout(cut);
    });
  }
}

const hostAdvice = 'The request must name its host, once, in the header Host (RFC 9112, section 3.2).';

/** Whether the header `Host` is there once; a request of HTTP/1.0 may do without. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

function answerOf(error: AppError): string {
  const status = statusOf(error.code);
  const id = randomUUID();
  const body = JSON.stringify(envelopeOf(error, id));
  const head = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
