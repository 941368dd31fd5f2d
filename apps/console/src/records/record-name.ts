import { texts } from '../texts/texts.ts';
import type { RecordDocument } from './record-lists.ts';

/** Returns the name of a record, or else its acronym. */
export function nameOf({ name, acronym }: RecordDocument): string {
  const found = [name, acronym].find((text) => typeof text === 'string' && text !== '') as string | undefined;
  return found ?? texts.catalog.nobodyNamed;
}
