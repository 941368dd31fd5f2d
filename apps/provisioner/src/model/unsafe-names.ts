/**
 * Characters that no honest name needs, and by which a name looks like another or acts on a terminal: control characters,
 * separators of lines, marks that change the direction of writing, and blanks without width. The joiners U+200C and
 * U+200D are not among them: Persian and several Indic languages, and emoji, are written with these.
 */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;

const everyUnsafe = new RegExp(unsafe, 'g');

/** Returns the text with its unsafe characters written out, such as `\u202e`. */
export function escapeUnsafe(text: string): string {
  if (!unsafe.test(text)) return text;
  return text.replaceAll(everyUnsafe, (character) => `\\u${hexOf(character)}`);
}

/** Returns the unsafe character of the last name of a path as `U+202E`; undefined if the name has none. */
export function unsafeCharacterIn(path: string): string | undefined {
  // Most paths have none at all, so that nothing is cut out of these.
  if (!unsafe.test(path)) return undefined;
  const [found] = unsafe.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  return found === undefined ? undefined : `U+${hexOf(found).toUpperCase()}`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
