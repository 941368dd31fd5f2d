import { InvalidInputError, NotJsonError } from '@rdc/errors';
import { parse } from 'secure-json-parse';
import { excessOf } from './json-bounds.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads bytes as JSON. Members that would reach an object's prototype and text that no database column can hold, with
 * the character NUL or half of a character, are refused here for every body.
 *
 * @throws NotJsonError saying what was expected
 * @throws InvalidInputError if the JSON is nested too deeply or holds too many values; it is not parsed then
 */
export async function jsonOf(body: Uint8Array): Promise<unknown> {
  if (body.length === 0) throw new NotJsonError('This call needs a body in JSON; none came.');
  const excess = await excessOf(body);
  if (excess !== null) throw new InvalidInputError([{ field: '', problem: `The body ${excess}` }]);
  return parsed(Buffer.from(body.buffer, body.byteOffset, body.length));
}

function parsed(body: Buffer): unknown {
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

/** Beginnings of what cannot be stored, in JSON. As bytes of UTF-8 it is refused before. */
const escapes = ['\\u0000', '\\ud', '\\uD'];

/** Returns whether a value can be stored. Deep nesting takes no stack. */
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
