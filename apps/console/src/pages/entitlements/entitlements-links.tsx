import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

const words = texts.people.entitlements;

/** A link from one list of entitlements to the other. */
export function EntitlementsLinks({ isRefused }: { readonly isRefused: boolean }): ReactNode {
  const [to, label] = isRefused
    ? (['/entitlements', words.waitingTitle] as const)
    : (['/entitlements/refused', words.refusedTitle] as const);
  return (
    <Button variant="default" renderRoot={(props) => <Link to={to} {...props} />}>
      {label}
    </Button>
  );
}
