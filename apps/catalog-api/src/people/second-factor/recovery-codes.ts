import { randomInt } from 'node:crypto';

/** The number of codes of a person. */
const codeCount = 10;

/** Letters and digits without similar shapes, so that codes can be read from paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** The groups of a code, separated by hyphens. A code has about 59 bits. */
const groups = 3;
const groupLength = 4;

/** Returns ten new codes, such as `k7wd-m2qx-9hbr`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () =>
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
