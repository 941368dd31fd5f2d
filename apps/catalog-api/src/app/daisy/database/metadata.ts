import { tryParseJson } from '../../../platform/json/json.js';
import type { Raw, RawRecord } from '../raw-values.js';
import { textOf } from '../raw-values.js';

/** The member of the metadata with the values of DAISY that have no other place in the catalog. */
const member = 'daisy';

/**
 * Returns the metadata of a record as the text of a JSON object: DAISY's own metadata and, under `daisy`, values that
 * have no other place. Values that are null, false or empty are omitted. The text of DAISY's metadata is not parsed and
 * written again, because that would change large numbers.
 */
export function metadataOf(record: RawRecord, values: Raw): string {
  const given = Object.entries(values).filter(([, value]) => !isEmpty(value));
  const text = textOf(record.raw['scientific_metadata']) ?? '{}';
  const parsed = tryParseJson(text);
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  if (!isObject) {
    record.note(`metadata that is not a JSON object was imported under "${member}.metadata"`);
    return JSON.stringify({ [member]: { ...Object.fromEntries(given), metadata: parsed ?? text } });
  }
  if (given.length === 0) return text;
  if (member in parsed) {
    record.note(`the metadata has a member "${member}", so ${namesOf(given)} are only in the audit trail`);
    return text;
  }
  record.note(`the metadata got the member "${member}" with ${namesOf(given)}`);
  const added = `"${member}":${JSON.stringify(Object.fromEntries(given))}}`;
  const rest = text.trimEnd().slice(0, -1);
  return Object.keys(parsed).length === 0 ? `{${added}` : `${rest},${added}`;
}

function namesOf(values: readonly (readonly [string, unknown])[]): string {
  return values.map(([name]) => name).join(', ');
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === false ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}
