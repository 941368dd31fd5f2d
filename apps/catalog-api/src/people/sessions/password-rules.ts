import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { minPasswordLength } from '../../platform/settings/password-length.js';

/** The facts about a person that a password must not be made of. */
export interface PasswordOwner {
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
}

/** Characters that are compared with common passwords and patterns. A longer comparison would stop the process. */
const comparedLength = 64;

/**
 * Ways in which signs are read as letters (`4` as `a`). The library's own 100 ways stop the process for 80 ms if a password
 * has only signs that stand for several letters.
 */
const l33tMaxSubstitutions = 10;

/** The least score of five (0 to 4): more than 10^8 guesses. */
const leastScore = 3;

/** Letters and digits that a password must have beside the words of its owner. */
const leastOther = 8;

/** Words of the owner that are shorter occur in too many good passwords. */
const leastWordLength = 3;

/** The rules for a password that a person chooses: no rule about kinds of characters, and none about its age. */
export class PasswordRules {
  private readonly estimator = new ZxcvbnFactory({
    ...{ dictionary, graphs: adjacencyGraphs, maxLength: comparedLength, l33tMaxSubstitutions },
  });

  /** Says what is wrong with a password, as a sentence fragment; null if nothing is. */
  problemOf(password: string, owner: PasswordOwner): string | null {
    const normal = password.normalize('NFKC');
    if (Array.from(normal).length < minPasswordLength) {
      return `must have ${String(minPasswordLength)} characters or more`;
    }
    if (isMadeOf(normal, wordsOf(owner))) return 'must not be made of your name or e-mail address';
    const { score } = this.estimator.check(normal.slice(0, comparedLength));
    return score < leastScore
      ? 'is too easy to guess: it is among the common passwords, or follows a simple pattern; take several unrelated words'
      : null;
  }
}

function wordsOf({ email, firstName, lastName }: PasswordOwner): string[] {
  const address = email ?? '';
  const [mailbox = ''] = address.split('@');
  const words = [address, mailbox, ...mailbox.split(/[._+-]/), ...`${firstName} ${lastName}`.split(/\s+/)];
  return words.filter((word) => word.length >= leastWordLength).sort((one, other) => other.length - one.length);
}

function isMadeOf(password: string, words: readonly string[]): boolean {
  const whole = password.toLowerCase();
  const rest = words.reduce((left, word) => left.replaceAll(word.toLowerCase(), ''), whole);
  return rest !== whole && rest.replace(/[^\p{L}\p{N}]/gu, '').length < leastOther;
}
