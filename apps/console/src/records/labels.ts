import { texts } from '../texts/texts.ts';

const { entries, words, descriptions } = texts.records;
const fields: Readonly<Record<string, string>> = { ...texts.readiness.fields, ...texts.records.fields };

/** Returns the label of a member. */
export function labelOf(member: string): string {
  return fields[member] ?? readable(member);
}

/** Returns the description of a member, which its schema contains in English, in the current language. */
export function descriptionOf({ description }: { readonly description?: string }): string | undefined {
  return description === undefined ? undefined : (descriptions[description] ?? description);
}

/** Returns the label of one entry of a list of objects. */
export function singularOf(member: string): string {
  return entries[member] ?? labelOf(member);
}

/** Returns the label of a value of an enumeration. */
export function wordOf(word: string): string {
  return words[word] ?? (/^[\d.]/.test(word) ? word : readable(word));
}

/** Returns `Controlled access` for `controlled_access`. */
function readable(word: string): string {
  const text = word.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
