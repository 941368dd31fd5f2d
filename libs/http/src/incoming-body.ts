import { RouteConfig } from '@nestjs/platform-fastify';
import type { IdentifiedRequest } from '@rdc/auth';
import { AppError, InvalidInputError } from '@rdc/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maxJsonValues } from './json-bounds.js';

/** Bytes that a caller without a key may send where the route does not say otherwise. */
const maxStrangerBytes = 16 * 1024;

/** Values of JSON that a caller without a key may send: their parsing takes a fifth of the time of what others may. */
const maxStrangerValues = 20_000;

/** Milliseconds for which the rest of a body that is not read is discarded; then its connection is cut. */
const lingerMs = 2000;

/** Bytes for which room is made first; the room grows with the bytes that arrive, never with those announced. */
const firstRoom = 64 * 1024;

/**
 * Bounds the body of a route, in bytes. `BODY_LIMIT` bounds it too.
 *
 * Without it a caller that the guard does not know may send 16 KiB, and every other caller `BODY_LIMIT`.
 */
export const BodyLimit = (bytes: number): MethodDecorator => RouteConfig({ bodyLimit: bytes });

/**
 * Leaves bodies unread, of whatever type they claim to be, until a handler needs them. So a caller that the guard
 * refuses costs no memory, and a call that needs no body does not depend on the body.
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

/** Bytes of the longest body that counts as empty: `{}` with space around it. */
const maxEmptyLength = 16;

/** A body that has not been read. */
export class IncomingBody {
  private refusal: Error | undefined;

  constructor(private readonly request: FastifyRequest & IdentifiedRequest) {}

  /** Makes `read` throw the error if the body has other content than `{}`. */
  refuseUnlessEmpty(refusal: Error): void {
    this.refusal = refusal;
  }

  /**
   * Reads the body to its end. Only the first call gets the bytes.
   *
   * @param limit bytes at most, if that is less than the route allows this caller
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

  /** Values that the body may hold if it is JSON. */
  get maxValues(): number {
    return this.isOfStranger ? maxStrangerValues : maxJsonValues;
  }

  private get limit(): number {
    const { bodyLimit: serviceLimit, config } = this.request.routeOptions;
    const { bodyLimit } = config as { bodyLimit?: number };
    return Math.min(serviceLimit, bodyLimit ?? (this.isOfStranger ? maxStrangerBytes : serviceLimit));
  }

  private get isOfStranger(): boolean {
    const { kind } = this.request.principal ?? { kind: 'anonymous' };
    return kind === 'anonymous' || kind === 'unknown';
  }
}

function isEmpty(bytes: Buffer): boolean {
  return bytes.length <= maxEmptyLength && /^\s*(\{\s*\})?\s*$/.test(bytes.toString());
}

function bytesOf({ raw }: FastifyRequest, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let room = Buffer.allocUnsafe(0);
    let length = 0;
    const onData = (chunk: Buffer): void => {
      if (length + chunk.length > max) {
        settle();
        reject(tooLarge(max));
        return;
      }
      // Copied: many small chunks would take far more memory than their bytes.
      if (length + chunk.length > room.length) room = grown(room, length, length + chunk.length);
      length += chunk.copy(room, length);
    };
    const onEnd = (): void => {
      settle();
      resolve(room.subarray(0, length));
    };
    const onCut = (): void => {
      settle();
      reject(new InvalidInputError([{ field: '', problem: 'The connection ended before the whole body had arrived' }]));
    };
    const settle = (): void => {
      raw.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      raw.resume();
    };
    raw.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    if (raw.destroyed) onCut();
  });
}

function grown(room: Buffer, length: number, needed: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(Math.max(needed, room.length * 2, firstRoom));
  room.copy(larger, 0, 0, length);
  return larger;
}

function tooLarge(max: number): AppError {
  const size = max % 1024 === 0 ? `${String(max / 1024)} KiB` : `${String(max)} bytes`;
  return new AppError('input.too_large', `The body is larger than ${size}, the most that this call takes.`);
}

/**
 * Cuts the connection if its body still arrives some time after the answer. The time lets a caller read the answer that
 * sends its whole body first.
 */
function cutEndlessBody({ raw }: FastifyRequest): void {
  if (raw.complete) return;
  setTimeout(() => {
    if (!raw.complete) raw.socket.destroy();
  }, lingerMs).unref();
}
