import type { Account } from '../identity-provider/identity-provider.js';

/** An account as it is brought to the database: what is wrong with it is already known. */
export interface StagedAccount {
  readonly subject: string;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly enabled: boolean;
  /** It is no person's: it counts as seen, and nothing else happens to it. */
  readonly skipped: boolean;
  /** Why it cannot be brought in, or null. */
  readonly conflict: string | null;
}

/** Widths of the columns of a user. */
const maxSubject = 255;
const maxEmail = 254;
const maxName = 255;

/** Says of an account what will become of it, as far as it alone can tell. */
export function toStaged(account: Account): StagedAccount {
  const email = storableText(account.email);
  return {
    subject: account.subject,
    email,
    first_name: shortened(account.firstName),
    last_name: shortened(account.lastName),
    enabled: account.enabled,
    skipped: email === null || !account.verified,
    conflict: conflictOf(account.subject, email),
  };
}

function conflictOf(subject: string, email: string | null): string | null {
  if (subject === '') return 'the account has no identifier';
  if (subject.length > maxSubject) return `the identifier is longer than ${String(maxSubject)} characters`;
  if (!isStorable(subject)) return 'the identifier holds the character NUL or half of a character';
  return email !== null && email.length > maxEmail
    ? `the e-mail address is longer than ${String(maxEmail)} characters`
    : null;
}

/** Text without what no column can hold; null when nothing is left, so that what is known already is kept. */
export function storableText(text: string | null): string | null {
  return text?.replace(unstorable, '').trim() || null;
}

/** A name as its column holds it. What is cut off may leave half of a character. */
function shortened(name: string | null): string | null {
  return storableText(storableText(name)?.slice(0, maxName) ?? null);
}

const unstorable = /[\0\p{Surrogate}]/gu;

/** Whether a column can hold a text. */
export function isStorable(text: string): boolean {
  return text.search(unstorable) === -1;
}
