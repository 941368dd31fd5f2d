import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import { maxId } from '../../platform/database/ids.js';
import type { ListName } from '../documents/list-names.js';
import type { ChangedRecords } from '../documents/stored-documents.js';

/** The kinds of record on which *protected* can be held. */
export const protectedResources = ['projects', 'datasets', 'contracts'] as const satisfies readonly ListName[];

/** One of the kinds of record on which *protected* can be held. */
export type ProtectedResource = (typeof protectedResources)[number];

/** The word for one record of a kind, as it also stands in names of columns. */
export const wordOf: Readonly<Record<ProtectedResource, 'project' | 'dataset' | 'contract'>> = {
  projects: 'project',
  datasets: 'dataset',
  contracts: 'contract',
};

/** Returns what a change of the rights on a record touches: rights on a project may extend to what the project holds. */
export function changedByRights(resource: ProtectedResource, id: number): ChangedRecords {
  return { [resource]: [id], ...(resource === 'projects' && { entrusted: [id] }) };
}

/**
 * The id of a record.
 *
 * @param text digits only: its `id_at_source`; else its `external_id`
 * @throws UnknownRecordError
 */
export function findRecord(manager: EntityManager, resource: ProtectedResource, text: string): Promise<number> {
  return selectRecord(manager, resource, text, '');
}

/** The same of a record that nobody changes or removes before the transaction ends. */
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

/** @throws InvalidInputError naming the first of these ids that is no user's */
export async function refuseUnknownUsers(manager: EntityManager, field: string, ids: readonly number[]): Promise<void> {
  const known = await manager.query<{ id: number }[]>('SELECT id FROM users WHERE id = ANY ($1) FOR KEY SHARE', [ids]);
  const missing = ids.find((id) => !known.some((row) => row.id === id));
  if (missing !== undefined) throw new InvalidInputError([{ field, problem: `names no user: ${String(missing)}` }]);
}
