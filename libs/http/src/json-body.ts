import { InvalidInputError, NotJsonError } from '@rdc/errors';
import { parse } from 'secure-json-parse';
import { maxJsonValues, measureJson } from './json-bounds.js';
import { TimeSlice } from './time-slice.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads bytes as JSON. Members that would reach an object's prototype and text that no database column can hold, with
 * the character NUL or half of a character, are refused here for every body. Other requests are answered between the
 * steps, none of which takes longer than 100 ms for 16 MB.
 *
 * @throws NotJsonError saying what was expected
 * @throws InvalidInputError if the JSON is nested too deeply or holds too many values; it is not parsed then
 */
export async function jsonOf(body: Uint8Array, maxValues = maxJsonValues): Promise<unknown> {
  if (body.length === 0) throw new NotJsonError('This call needs a body in JSON; none came.');
  const { excess, hasUnicodeEscape } = await measureJson(body, maxValues);
  if (excess !== null) throw new InvalidInputError([{ field: '', problem: `The body ${excess}` }]);
  const slice = new TimeSlice();
  const text = refusing(() => strictUtf8.decode(body));
  if (slice.isSpent) await slice.next();
  const value = refusing((): unknown => parse(text, null, { protoAction: 'error', constructorAction: 'error' }));
  if (slice.isSpent) await slice.next();
  if (hasUnicodeEscape && !(await isStorable(value, slice))) {
    throw new NotJsonError(
      'The body holds the character NUL (\\u0000) or half of a character, which cannot be stored.',
    );
  }
  return value;
}

/** @throws NotJsonError if a step of reading fails */
function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new NotJsonError(`The body is not JSON in UTF-8: ${reason}.`);
  }
}

/** Returns whether a value can be stored. Deep nesting takes no stack. */
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
