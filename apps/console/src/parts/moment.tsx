import type { ReactNode } from 'react';

const form = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A date and time in the user's time zone. */
export function Moment({ at }: { readonly at: string | null }): ReactNode {
  return at === null ? null : <time dateTime={at}>{form.format(new Date(at))}</time>;
}
