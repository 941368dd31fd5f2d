import { AppError, envelopeOf, statusOf, type ErrorCode } from '@rdc/errors';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Time for the client to read the response before the connection is cut. */
const lingerMs = 1000;

const notHttp = ['input.invalid', 'The request is not valid HTTP/1.1.'] as const;

const noMethod = ['method.unknown', 'The service does not support the method of the request.'] as const;

const otherVersion = [
  'version.unknown',
  'The service does not support the HTTP version of the request; use HTTP/1.1.',
] as const;

const tooSlow = ['request.timeout', 'The request took too long to arrive; send it again without pauses.'] as const;

/** The code and message for each error of Node's parser; every other error has those of `notHttp`. */
const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'input.headers_too_large',
    'The target and the headers of the request are too large; they may take 16 KiB together.',
  ],
  HPE_INVALID_METHOD: noMethod,
  HPE_INVALID_VERSION: otherVersion,
  HPE_PAUSED_H2_UPGRADE: otherVersion,
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
};

/** An error of Node's HTTP parser. */
interface ParseError extends Error {
  readonly code?: unknown;
  /** The bytes that the parser refused. */
  readonly rawPacket?: unknown;
}

/** The method at the beginning of a request line: a token of RFC 9110, section 5.6.2, and a space. */
const method = /^[\w!#$%&'*+.^`|~-]+ /;

function meaningOf({ code, rawPacket }: ParseError): readonly [ErrorCode, string] {
  const begun = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 100) : '';
  if (code === 'HPE_INVALID_METHOD' && !method.test(begun)) return notHttp;
  return meanings[String(code)] ?? notHttp;
}

/**
 * A handler that answers malformed requests with the error envelope and closes their connections. Nothing is written in
 * the middle of a response, or while an earlier request of the connection waits for its response.
 */
export class MalformedRequests {
  private readonly answers = new WeakMap<Socket, ServerResponse>();
  private readonly answered = new WeakSet<Socket>();

  /** Adds hooks that track responses and refuse requests without exactly one `Host`. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onRequest', ({ raw }, reply, done) => {
      this.answers.set(raw.socket, reply.raw);
      if (hasOneHost(raw)) {
        done();
        return;
      }
      void reply.header('Connection', 'close');
      done(new AppError(notHttp[0], hostProblem));
    });
    const { server } = instance;
    server.on('connect', (_request, socket) => {
      this.refuse(socket as Socket, noMethod);
    });
    // An unknown expectation may be ignored (RFC 9110, section 10.1.1). Node would refuse the request without a body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }

  /** Answers requests that Node's parser or timeout refuses. */
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
    // If a connection is cut while bytes arrive, the client may lose the response, so the client has time to read it.
    const cut = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => {
      clearTimeout(cut);
    });
  }
}

const hostProblem = 'The request must have exactly one header Host (RFC 9112, section 3.2).';

/** Returns whether a request has one header `Host`, which is optional in HTTP/1.0. */
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
