import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';

const { problemOf } = texts.imports;

/** Whether a delivery is complete, and what is wrong with it. */
export interface ProblemCodesProps {
  readonly ready: boolean;
  readonly problems: readonly string[];
  /** Null as long as nobody has looked at it. */
  readonly files: number | null;
  readonly imported_at: string | null;
}

/** What stands in the way of an import; nothing for what is imported already. */
export function ProblemCodes({ ready, files, problems, imported_at: importedAt }: ProblemCodesProps): ReactNode {
  if (importedAt !== null) return null;
  const unready = files === null ? 'source.unseen' : 'source.not_ready';
  // What has no id is never looked at.
  const isUnready = !ready && !problems.includes('id.invalid');
  return [...(isUnready ? [unready] : []), ...problems].map(problemOf).join('; ');
}
