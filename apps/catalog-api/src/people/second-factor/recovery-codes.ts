import { randomInt } from 'node:crypto';

/** Codes that a person gets at once. */
const codesAtOnce = 10;

/** Letters and digits that are not mistaken for each other when read from paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Characters of a code, about 59 bits; a hyphen after each group of four. */
const groups = 3;
const groupLength = 4;

/** Returns ten new codes, such as `k7wd-m2qx-9hbr`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codesAtOnce }, () =>
    Array.from({ length: groups }, () => Array.from({ length: groupLength }, randomCharacter).join('')).join('-'),
  );
}

/** Returns the form of a code that is hashed: without spaces and hyphens, in lower case. */
export function normalRecoveryCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

function randomCharacter(): string {
  return alphabet.charAt(randomInt(alphabet.length));
}
