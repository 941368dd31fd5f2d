import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface RecordLinkProps {
  /** The list of the record, e.g. `datasets`. */
  readonly list: string;
  readonly id: string | number;
  readonly children: ReactNode;
}

/** A link to the page of a record. */
export function RecordLink({ list, id, children }: RecordLinkProps): ReactNode {
  return (
    <Anchor
      underline="always"
      renderRoot={(props) => <Link to={`/${list}/$id`} params={{ id: String(id) }} {...props} />}
    >
      {children}
    </Anchor>
  );
}
