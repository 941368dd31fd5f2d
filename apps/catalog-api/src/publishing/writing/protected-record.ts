import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import { maxId } from '../../platform/database/ids.js';
import type { ListName } from '../documents/list-names.js';
import type { ChangedRecords } from '../documents/stored-documents.js';

/** The kinds of record on which *protected* can be held. */
export const protectedResources = ['projects', 'datasets', 'contracts'] as const satisfies readonly ListName[];

/** One of the kinds of record on which *protected* can be held. */
export type ProtectedResource = (typeof protectedResources)[number];

/** The singular of each kind, which is also part of column names. */
export const wordOf: Readonly<Record<ProtectedResource, 'project' | 'dataset' | 'contract'>> = {
  projects: 'project',
  datasets: 'dataset',
  contracts: 'contract',
};

/**
 * Returns the records that a change of rights affects. Rights on a project can extend to its datasets and contracts.
 */
export function changedByRights(resource: ProtectedResource, id: number): ChangedRecords {
  return { [resource]: [id], ...(resource === 'projects' && { entrusted: [id] }) };
}

/**
 * Returns the id of a record.
 *
 * @param text the `id_at_source` if the text is digits only, otherwise the `external_id`
 * @throws UnknownRecordError if there is no record
 */
export function findRecord(manager: EntityManager, resource: ProtectedResource, text: string): Promise<number> {
  return selectRecord(manager, resource, text, '');
}

/**
 * Locks a record until the end of the transaction, and returns its id.
 *
 * @throws UnknownRecordError if there is no record
 */
export function lockRecord(manager: EntityManager, resource: ProtectedResource, text: string): Promise<number> {
  return selectRecord(manager, resource, text, 'FOR NO KEY UPDATE');
}

async function selectRecord(
  manager: EntityManager,
  resource: ProtectedResource,
  text: string,
  lock: string,
): Promise<number> {
  const isId = /^\d+$/.test(text);
  const none = new UnknownRecordError(wordOf[resource], text);
  if (text.includes('\0') || (isId && Number(text) > maxId) || (!isId && resource === 'contracts')) throw none;
  const [row] = await manager.query<{ id: number }[]>(
    `SELECT id FROM ${resource} WHERE ${isId ? 'id' : 'external_id'} = $1 ${lock}`,
    [text],
  );
  if (!row) throw none;
  return row.id;
}

/** @throws InvalidInputError if one of the ids is not the id of a user */
export async function refuseUnknownUsers(manager: EntityManager, field: string, ids: readonly number[]): Promise<void> {
  const known = await manager.query<{ id: number }[]>('SELECT id FROM users WHERE id = ANY ($1) FOR KEY SHARE', [ids]);
  const missing = ids.find((id) => !known.some((row) => row.id === id));
  if (missing !== undefined)
    throw new InvalidInputError([
      { field, problem: `must contain ids of users: ${String(missing)} is not the id of a user` },
    ]);
}
