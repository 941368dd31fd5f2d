import { UnknownRecordError } from '@rdc/errors';
import { maxId } from '../database/ids.js';

/** The id in a path. @throws UnknownRecordError when the text can be nobody's id */
export function parseRecordId(kind: string, text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d{0,9}$/.test(text) || id > maxId) throw new UnknownRecordError(kind, text);
  return id;
}
