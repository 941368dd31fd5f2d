import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import type { ImportRun } from './calls.ts';

interface LinkProps {
  readonly id: string;
  readonly children?: ReactNode;
}

/** Folders may be called so, but at their addresses the service answers something else. */
const taken = ['diff', 'import'];

/** What follows the name in its address: a space at the very end would be cut off, as at the end of every address. */
const hashFor = (id: string): string | undefined => (id.endsWith(' ') ? '-' : undefined);

/** Leads to a dataset, by its id. */
export function DeliveryLink({ id, children = id }: LinkProps): ReactNode {
  if (taken.includes(id)) return children;
  const hash = hashFor(id);
  return (
    <Anchor renderRoot={(props) => <Link to="/imports/datasets/$id" params={{ id }} hash={hash} {...props} />}>
      {children}
    </Anchor>
  );
}

/** Leads to a submission, by its reference. */
export function SubmissionLink({ id, children = id }: LinkProps): ReactNode {
  if (taken.includes(id)) return children;
  const hash = hashFor(id);
  return (
    <Anchor renderRoot={(props) => <Link to="/imports/submissions/$id" params={{ id }} hash={hash} {...props} />}>
      {children}
    </Anchor>
  );
}

/** Leads to an import, by its id. */
export function RunLink({ id, children = id }: LinkProps): ReactNode {
  return <Anchor renderRoot={(props) => <Link to="/imports/runs/$id" params={{ id }} {...props} />}>{children}</Anchor>;
}

/** Leads to what an import is about. */
export function SubjectLink({ run: { kind, subject } }: { readonly run: ImportRun }): ReactNode {
  return kind === 'submission' ? <SubmissionLink id={subject} /> : <DeliveryLink id={subject} />;
}

/** How an import is called, e.g. `Dataset DS-1`. */
export function nameOf({ kind, subject }: ImportRun): string {
  return texts.imports.runs.name(texts.imports.kinds[kind], subject);
}
