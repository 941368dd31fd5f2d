import { NotJsonError } from '@rdc/errors';
import type { FastifyInstance } from 'fastify';
import { parse } from 'secure-json-parse';

/**
 * Bodies are kept as the bytes that came, whatever type they claim to be, until a handler asks for them: a caller that
 * is refused is refused before its body is looked at, and a call that needs no body does not care what came.
 */
export function acceptEveryBody(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body as JSON. Members that would reach an object's prototype and text with the character NUL, which no
 * database column can hold, are refused here once for all.
 *
 * @throws NotJsonError saying what was expected
 */
export function jsonOf(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new NotJsonError('This call needs a body in JSON; none came.');
  }
  let value: unknown;
  try {
    value = parse(strictUtf8.decode(body), null, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new NotJsonError(`The body is not JSON in UTF-8: ${reason}.`);
  }
  if (body.includes('\\u0000') && holdsNul(value)) {
    throw new NotJsonError('The body holds the character NUL (\\u0000), which cannot be stored.');
  }
  return value;
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([member, inner]) => member.includes('\0') || holdsNul(inner));
}
