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
 * Reads a body as JSON. Members that would reach an object's prototype and text that no database column can hold, with
 * the character NUL or half of a character, are refused here once for all.
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
  if (escapes.some((escape) => body.includes(escape)) && !isStorable(value)) {
    throw new NotJsonError(
      'The body holds the character NUL (\\u0000) or half of a character, which cannot be stored.',
    );
  }
  return value;
}

/** How what cannot be stored begins in JSON: in UTF-8 itself, it would have been refused as that. */
const escapes = ['\\u0000', '\\ud', '\\uD'];

/** However deep a value is nested, this takes no stack. */
function isStorable(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each === 'string' && /[\0\p{Surrogate}]/u.test(each)) return false;
    if (typeof each !== 'object' || each === null) continue;
    for (const [member, inner] of Object.entries(each)) left.push(member, inner);
  }
  return true;
}
