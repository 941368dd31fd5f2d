import { RouteConfig } from '@nestjs/platform-fastify';
import type { IdentifiedRequest } from '@rdc/auth';
import { AppError, InvalidInputError } from '@rdc/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxJsonValues } from './json-bounds.js';

/** Maximum size of a body from a caller without a known key, unless the route has a limit of its own. */
const maxAnonymousBytes = 16 * 1024;

/** Maximum number of JSON values from a caller without a known key; a fifth of the limit for other callers. */
const maxAnonymousValues = 20_000;

/** Time for which the rest of an unread body is discarded before its connection is cut. */
const lingerMs = 2000;

/** Initial size of the buffer, which grows with the received bytes and not with the declared length. */
const initialBufferBytes = 64 * 1024;

/**
 * Limits the body of a route to a number of bytes, within `BODY_LIMIT`.
 *
 * Without this decorator, a caller without a known key may send 16 KiB, and every other caller may send `BODY_LIMIT`.
 */
export const BodyLimit = (bytes: number): MethodDecorator => RouteConfig({ bodyLimit: bytes });

/**
 * Leaves bodies of every type unread until a handler needs them. A refused caller therefore uses no memory, and a
 * request that needs no body does not depend on the body.
 */
export function acceptEveryBody(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', (request, _payload, done) => {
    done(null, new IncomingBody(request));
  });
  instance.addHook('onResponse', (request, _reply, done) => {
    cutEndlessBody(request);
    done();
  });
}

/** Maximum size of a body that counts as empty: `{}` with white space around it. */
const maxEmptyLength = 16;

/** A body that has not been read. */
export class IncomingBody {
  private refusal: Error | undefined;

  constructor(private readonly request: FastifyRequest & IdentifiedRequest) {}

  /** Makes `read` throw the error unless the body is empty or `{}`. */
  refuseUnlessEmpty(refusal: Error): void {
    this.refusal = refusal;
  }

  /**
   * Reads the body to its end. Only the first call returns the bytes.
   *
   * @param limit maximum number of bytes, within the limit of the route for this caller
   * @throws AppError `input.too_large` if the body is larger
   * @throws InvalidInputError if the connection ends first
   * @throws the error of `refuseUnlessEmpty`
   */
  async read(limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
    const max = Math.min(limit, this.limit);
    const declared = Number(this.request.headers['content-length'] ?? 0);
    if (this.refusal && declared > maxEmptyLength) throw this.refusal;
    if (declared > max) throw tooLarge(max);
    const bytes = await bytesOf(this.request, max);
    if (this.refusal && !isEmpty(bytes)) throw this.refusal;
    return bytes;
  }

  /** Maximum number of values in a JSON body. */
  get maxValues(): number {
    return this.isAnonymous ? maxAnonymousValues : maxJsonValues;
  }

  private get limit(): number {
    const { bodyLimit: serviceLimit, config } = this.request.routeOptions;
    const { bodyLimit } = config as { bodyLimit?: number };
    return Math.min(serviceLimit, bodyLimit ?? (this.isAnonymous ? maxAnonymousBytes : serviceLimit));
  }

  private get isAnonymous(): boolean {
    const { kind } = this.request.principal ?? { kind: 'anonymous' };
    return kind === 'anonymous' || kind === 'unknown';
  }
}

function isEmpty(bytes: Buffer): boolean {
  return bytes.length <= maxEmptyLength && /^\s*(\{\s*\})?\s*$/.test(bytes.toString());
}

function bytesOf({ raw }: FastifyRequest, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let buffer = Buffer.allocUnsafe(0);
    let length = 0;
    const onData = (chunk: Buffer): void => {
      if (length + chunk.length > max) {
        settle();
        reject(tooLarge(max));
        return;
      }
      // Many small chunks would take far more memory than their bytes, so each chunk is copied.
      if (length + chunk.length > buffer.length) buffer = grownBuffer(buffer, length, length + chunk.length);
      length += chunk.copy(buffer, length);
    };
    const onEnd = (): void => {
      settle();
      resolve(buffer.subarray(0, length));
    };
    const onAbort = (): void => {
      settle();
      reject(new InvalidInputError([{ field: '', problem: 'The connection ended before the whole body arrived' }]));
    };
    const settle = (): void => {
      raw.off('data', onData).off('end', onEnd).off('error', onAbort).off('close', onAbort);
      raw.resume();
    };
    raw.on('data', onData).on('end', onEnd).on('error', onAbort).on('close', onAbort);
    if (raw.destroyed) onAbort();
  });
}

function grownBuffer(buffer: Buffer, length: number, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2, initialBufferBytes));
  buffer.copy(larger, 0, 0, length);
  return larger;
}

function tooLarge(max: number): AppError {
  const size = max % 1024 === 0 ? `${String(max / 1024)} KiB` : `${String(max)} bytes`;
  return new AppError('input.too_large', `The body is too large; this operation accepts at most ${size}.`);
}

/**
 * Cuts the connection if the body is still arriving some time after the response. Within this time, a client that sends
 * its whole body first can read the response.
 */
function cutEndlessBody({ raw }: FastifyRequest): void {
  if (raw.complete) return;
  setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, lingerMs).unref();
}
