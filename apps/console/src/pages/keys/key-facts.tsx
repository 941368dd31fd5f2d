import type { ReactNode } from 'react';
import { Badge } from '@mantine/core';
import type { components } from '../../api/generated/catalog-api.ts';
import { Moment } from '../../parts/moment.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.people.keys;

/** The state of a key. */
export type KeyState = components['schemas']['KeyState'];

/** A badge with the state of a key, or for a missing key (`null`). */
export function KeyBadge({ of }: { readonly of: KeyState | null }): ReactNode {
  if (of === null) return texts.people.none;
  return (
    <Badge variant="dot" color={of.valid ? 'green' : 'gray'} miw="max-content" tt="none">
      {of.valid ? words.valid : words.invalid}
    </Badge>
  );
}

/** The time of the latest use of a key. */
export function LastUsed({ of }: { readonly of: KeyState }): ReactNode {
  return of.last_used_at === null ? words.neverUsed : <Moment at={of.last_used_at} />;
}

/** The end of a key's validity. */
export function KeyEnd({ of }: { readonly of: KeyState }): ReactNode {
  return of.expires_at === null ? words.noEnd : <Moment at={of.expires_at} />;
}
