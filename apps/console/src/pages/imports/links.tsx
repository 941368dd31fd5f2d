import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import type { ImportRun } from './calls.ts';

interface LinkProps {
  readonly id: string;
  readonly children?: ReactNode;
}

/** Valid names of folders whose addresses are used by other requests of the service. */
const taken = ['diff', 'import'];

/** Returns a hash that protects a space at the end of a name. Browsers remove spaces at the end of an address. */
const hashFor = (id: string): string | undefined => (id.endsWith(' ') ? '-' : undefined);

/** A link to a dataset. */
export function DeliveryLink({ id, children = id }: LinkProps): ReactNode {
  if (taken.includes(id)) return children;
  const hash = hashFor(id);
  return (
    <Anchor renderRoot={(props) => <Link to="/imports/datasets/$id" params={{ id }} hash={hash} {...props} />}>
      {children}
    </Anchor>
  );
}

/** A link to a submission. */
export function SubmissionLink({ id, children = id }: LinkProps): ReactNode {
  if (taken.includes(id)) return children;
  const hash = hashFor(id);
  return (
    <Anchor renderRoot={(props) => <Link to="/imports/submissions/$id" params={{ id }} hash={hash} {...props} />}>
      {children}
    </Anchor>
  );
}

/** A link to an import. */
export function RunLink({ id, children = id }: LinkProps): ReactNode {
  return <Anchor renderRoot={(props) => <Link to="/imports/runs/$id" params={{ id }} {...props} />}>{children}</Anchor>;
}

/** A link to the dataset or submission of an import. */
export function SubjectLink({ run: { kind, subject } }: { readonly run: ImportRun }): ReactNode {
  return kind === 'submission' ? <SubmissionLink id={subject} /> : <DeliveryLink id={subject} />;
}

/** Returns the name of an import, e.g. `Dataset DS-1`. */
export function nameOf({ kind, subject }: ImportRun): string {
  return texts.imports.runs.name(texts.imports.kinds[kind], subject);
}
