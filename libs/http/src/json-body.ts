import { InvalidInputError, NotJsonError } from '@rdc/errors';
import { parse } from 'secure-json-parse';
import { maxJsonValues, measureJson } from './json-bounds.js';
import { TimeSlice } from './time-slice.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses bytes as JSON. Refuses members that would change an object's prototype, and text that a database column cannot
 * store because it contains NUL or half of a surrogate pair. Other requests are answered between the steps. A step
 * takes at most 100 ms for 16 MB.
 *
 * @throws NotJsonError if the bytes are not JSON, or contain refused members or text
 * @throws InvalidInputError if the JSON is nested too deeply or has too many values
 */
export async function jsonOf(body: Uint8Array, maxValues = maxJsonValues): Promise<unknown> {
  if (body.length === 0) throw new NotJsonError('The request has no body; send a body in JSON.');
  const { excess, hasUnicodeEscape } = await measureJson(body, maxValues);
  if (excess !== null) throw new InvalidInputError([{ field: '', problem: `The body ${excess}` }]);
  const slice = new TimeSlice();
  const text = asNotJson(() => strictUtf8.decode(body));
  if (slice.isSpent) await slice.next();
  const value = asNotJson((): unknown => parse(text, null, { protoAction: 'error', constructorAction: 'error' }));
  if (slice.isSpent) await slice.next();
  if (hasUnicodeEscape && !(await isStorable(value, slice))) {
    throw new NotJsonError(
      'The body contains the character NUL (\\u0000) or half of a surrogate pair, which cannot be stored.',
    );
  }
  return value;
}

/** Runs a step of the parser. @throws NotJsonError if the step fails */
function asNotJson<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new NotJsonError(`The body is not JSON in UTF-8: ${reason}.`);
  }
}

/**
 * Returns whether all texts of a value can be stored. The function is not recursive, so deep nesting needs no stack.
 */
async function isStorable(value: unknown, slice: TimeSlice): Promise<boolean> {
  const left = [value];
  while (left.length > 0) {
    if (slice.isSpent) await slice.next();
    const each = left.pop();
    if (typeof each === 'string' && /[\0\p{Surrogate}]/u.test(each)) return false;
    if (typeof each !== 'object' || each === null) continue;
    for (const [member, inner] of Object.entries(each)) left.push(member, inner);
  }
  return true;
}
