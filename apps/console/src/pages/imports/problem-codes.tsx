import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

const { problemOf } = texts.imports;

export interface ProblemCodesProps {
  readonly ready: boolean;
  readonly problems: readonly string[];
  /** Null until the delivery is scanned. */
  readonly files: number | null;
  readonly imported_at: string | null;
}

/** The problems that prevent an import. Empty for an imported dataset. */
export function ProblemCodes({ ready, files, problems, imported_at: importedAt }: ProblemCodesProps): ReactNode {
  if (importedAt !== null) return null;
  const unready = files === null ? 'source.unseen' : 'source.not_ready';
  // A delivery with an invalid id is never scanned.
  const isUnready = !ready && !problems.includes('id.invalid');
  return [...(isUnready ? [unready] : []), ...problems].map(problemOf).join('; ');
}
