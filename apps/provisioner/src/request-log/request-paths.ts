import { hash } from 'node:crypto';
import type { ImportRequest } from '../model/import-record.js';
import type { RequestSlot } from '../model/request-log.js';
import { foldedId, isIdentifier } from '../model/identifier.js';

/** The folder of the log below `data/`. */
export const root = '.requests';

/** The part of a request that determines which other requests it excludes while it is open. */
export type RequestKey = Pick<ImportRequest, 'kind' | 'subject' | 'plans' | 'datasets'>;

function slotOf({ kind }: Pick<ImportRequest, 'kind'>): RequestSlot {
  return kind === 'withdraw' || kind === 'purge' ? 'dataset' : kind;
}

/** Returns one file for all subjects that differ by case only, so that only one of them can be open. */
export function openFile(request: RequestKey): string {
  const { kind, subject } = request;
  if (!isIdentifier(subject.id)) throw new RangeError(`"${subject.id}" is not a valid id of a subject`);
  return openFileOf(slotOf(request), kind === 'plan' ? planNameOf(request) : nameOf(request));
}

/** @param name the name of the file without `.json` */
export function openFileOf(slot: RequestSlot, name: string): string {
  return `${root}/open/${slot}/${name}.json`;
}

export function lastFile(request: Pick<ImportRequest, 'kind' | 'subject'>): string {
  return `${root}/last/${slotOf(request)}/${request.subject.id}.json`;
}

export function fileById(id: string): string {
  return `${root}/requests/${id}.json`;
}

export function statusFile(id: string): string {
  return `${root}/status/${id}.json`;
}

export function watchFile(id: string): string {
  return `${root}/watched/${id}`;
}

/** Returns the file of one attempt, because a cancellation does not concern the next attempt. */
export function cancelFile({ id, attempt }: Pick<ImportRequest, 'id' | 'attempt'>): string {
  return `${root}/cancel/${id}.${String(attempt)}`;
}

function nameOf({ kind, subject: { id } }: RequestKey): string {
  return kind === 'verify' ? id : foldedId(id);
}

/** Returns a name that is equal for plans of the same subject and the same datasets only, in any file system. */
function planNameOf({ plans = 'dataset', subject, datasets = [] }: RequestKey): string {
  const chosen = datasets === 'all' ? ['', 'all'] : [...datasets].sort();
  return `${plans}-${hash('sha256', [subject.id, ...chosen].join('\n')).slice(0, 32)}`;
}
