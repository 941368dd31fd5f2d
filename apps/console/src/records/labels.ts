import { texts } from '../texts/texts.ts';

const { fields, entries, words, descriptions } = texts.records;

/** How a member is called. */
export function labelOf(member: string): string {
  return (fields as Readonly<Record<string, string>>)[member] ?? readable(member);
}

/** What a member is: what its schema says, in the language that is shown. */
export function descriptionOf({ description }: { readonly description?: string }): string | undefined {
  return description === undefined ? undefined : (descriptions[description] ?? description);
}

/** How one entry of a list of objects is called. */
export function singularOf(member: string): string {
  return entries[member] ?? labelOf(member);
}

/** How a word of a document reads. */
export function wordOf(word: string): string {
  return words[word] ?? (/^[\d.]/.test(word) ? word : readable(word));
}

/** `controlled_access` as `Controlled access` */
function readable(word: string): string {
  const text = word.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
