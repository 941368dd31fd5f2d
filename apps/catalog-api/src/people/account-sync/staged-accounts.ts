import type { Account } from '../identity-provider/identity-provider.js';

/** An account before its import, with the conflict that the account itself shows. */
export interface StagedAccount {
  readonly subject: string;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly enabled: boolean;
  /** Whether the account is not imported, because it belongs to no person. The account counts as listed. */
  readonly skipped: boolean;
  /** The reason why the account cannot be imported; null if there is none. */
  readonly conflict: string | null;
}

/** The widths of a user's columns. */
const maxSubject = 255;
const maxEmail = 254;
const maxName = 255;

/** Returns the staged form of an account, with conflicts that need no comparison with other accounts. */
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
  if (!isStorable(subject)) return 'the identifier contains the character NUL or half of a surrogate pair';
  return email !== null && email.length > maxEmail
    ? `the e-mail address is longer than ${String(maxEmail)} characters`
    : null;
}

/** Removes characters that no column can store. Returns null if no text is left, so that an import keeps the old value. */
export function storableText(text: string | null): string | null {
  return text?.replace(unstorable, '').trim() || null;
}

/** Shortens a name to the width of its column. Removes half of a surrogate pair at the cut. */
function shortened(name: string | null): string | null {
  return storableText(storableText(name)?.slice(0, maxName) ?? null);
}

const unstorable = /[\0\p{Surrogate}]/gu;

/** Whether a column can store a text. */
export function isStorable(text: string): boolean {
  return text.search(unstorable) === -1;
}
