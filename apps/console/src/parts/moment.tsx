import type { ReactNode } from 'react';

const form = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** An instant, in the time of the person who reads. */
export function Moment({ at }: { readonly at: string | null }): ReactNode {
  return at === null ? null : <time dateTime={at}>{form.format(new Date(at))}</time>;
}
