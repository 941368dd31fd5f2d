import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { minPasswordLength } from './password-length.js';

/** The data about a person that a password must not consist of. */
export interface PasswordOwner {
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
}

/** Characters that are compared with common passwords and patterns. A longer comparison would block the process. */
const comparedLength = 64;

/**
 * The number of readings of signs as letters (`4` as `a`). With the library's default of 100, a password of ambiguous
 * signs blocks the process for 80 ms.
 */
const l33tMaxSubstitutions = 10;

/** The minimum score (0 to 4), which stands for more than 10^8 guesses. */
const minScore = 3;

/** The number of letters and digits that a password must have in addition to the words of its owner. */
const minOther = 8;

/** Shorter words of the owner are ignored, because they occur in many good passwords. */
const minWordLength = 3;

/** The rules for passwords that people choose. There is no rule about kinds of characters or the age of a password. */
export class PasswordRules {
  private readonly estimator = new ZxcvbnFactory({
    ...{ dictionary, graphs: adjacencyGraphs, maxLength: comparedLength, l33tMaxSubstitutions },
  });

  /** Returns the problem of a password as a sentence fragment; null if the password is accepted. */
  problemOf(password: string, owner: PasswordOwner): string | null {
    const normal = password.normalize('NFKC');
    if (Array.from(normal).length < minPasswordLength) {
      return `must have ${String(minPasswordLength)} characters or more`;
    }
    if (consistsOf(normal, wordsOf(owner))) return 'must not consist of your name or e-mail address';
    const { score } = this.estimator.check(normal.slice(0, comparedLength));
    return score < minScore
      ? 'is too easy to guess: use several unrelated words instead of a common password or a simple pattern'
      : null;
  }
}

function wordsOf({ email, firstName, lastName }: PasswordOwner): string[] {
  const address = email ?? '';
  const [mailbox = ''] = address.split('@');
  const words = [address, mailbox, ...mailbox.split(/[._+-]/), ...`${firstName} ${lastName}`.split(/\s+/)];
  return words.filter((word) => word.length >= minWordLength).sort((one, other) => other.length - one.length);
}

function consistsOf(password: string, words: readonly string[]): boolean {
  const whole = password.toLowerCase();
  const rest = words.reduce((left, word) => left.replaceAll(word.toLowerCase(), ''), whole);
  return rest !== whole && rest.replace(/[^\p{L}\p{N}]/gu, '').length < minOther;
}
