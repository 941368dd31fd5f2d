import { isIdentifier } from './identifier.js';
import type { LatestEnding, RequestLog } from './request-log.js';
import type { Storage } from './storage.js';

/**
 * Returns the withdrawal of a dataset that is withdrawn and not imported again.
 *
 * @returns null if the dataset is imported, is being imported, or was never withdrawn
 */
export async function findWithdrawal(log: RequestLog, storage: Storage, id: string): Promise<LatestEnding | null> {
  const last = isIdentifier(id) ? await log.findLastFailure('withdraw', id) : null;
  if (last?.kind !== 'withdraw' || (await storage.findCommit({ kind: 'dataset', id }))) return null;
  return (await log.findOpen('dataset', id))?.kind === 'dataset' ? null : last;
}

/** Returns the sentences that state why a withdrawn dataset is not imported again. */
export function withdrawnText({ subject, finished_at, reason = '' }: LatestEnding): string {
  return `${subject.id} was withdrawn on ${finished_at}: ${reason} To import it again, send "reimport_of_withdrawn": true (command line: --reimport-of-withdrawn).`;
}
