/**
 * Characters that can disguise a name or control a terminal: control characters, line separators, directional marks and
 * zero-width spaces. The joiners U+200C and U+200D are allowed, because Persian, several Indic languages and emoji need
 * them.
 */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;

const everyUnsafe = new RegExp(unsafe, 'g');

/** Returns the text with unsafe characters replaced by escapes such as `\u202e`. */
export function escapeUnsafe(text: string): string {
  if (!unsafe.test(text)) return text;
  return text.replaceAll(everyUnsafe, (character) => `\\u${hexOf(character)}`);
}

/** Returns the first unsafe character of the last name of a path, e.g. `U+202E`; undefined if the name has none. */
export function unsafeCharacterIn(path: string): string | undefined {
  // Most paths contain no unsafe character. The early return saves the copy of the name.
  if (!unsafe.test(path)) return undefined;
  const [match] = unsafe.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  return match === undefined ? undefined : `U+${hexOf(match).toUpperCase()}`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
