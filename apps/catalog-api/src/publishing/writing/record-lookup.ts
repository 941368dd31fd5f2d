import { RecordInUseError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import { maxId } from '../../platform/database/ids.js';
import type { RecordKind } from './record-kind.js';

/** Digits are an `id_at_source`, everything else an `external_id`. */
export async function findId(
  manager: EntityManager,
  { list, accession }: Pick<RecordKind, 'list' | 'accession'>,
  pathId: string,
): Promise<number | null> {
  const byId = /^\d+$/.test(pathId);
  if (byId ? Number(pathId) > maxId : accession === 'never' || pathId.includes('\0')) return null;
  const [row] = await manager.query<{ id: number }[]>(
    `SELECT id FROM ${list} WHERE ${byId ? 'id = $1::integer' : 'external_id = $1'}`,
    [pathId],
  );
  return row?.id ?? null;
}

/** How a record is named in its path: by its accession, where it has one. */
export async function pathSegmentOf(
  manager: EntityManager,
  { list, accession }: Pick<RecordKind, 'list' | 'accession'>,
  id: number,
): Promise<string> {
  if (accession === 'never') return String(id);
  const [row] = await manager.query<{ external_id: string | null }[]>(`SELECT external_id FROM ${list} WHERE id = $1`, [
    id,
  ]);
  return row?.external_id ?? String(id);
}

/** @throws RecordInUseError while others refer to the record; nobody begins to before the transaction ends */
export async function refuseWhileInUse(
  manager: EntityManager,
  { list, word, removalConstraints }: Pick<RecordKind, 'list' | 'word' | 'removalConstraints'>,
  id: number,
  pathId: string,
): Promise<void> {
  await manager.query(`SELECT FROM ${list} WHERE id = $1 FOR UPDATE`, [id]);
  const users: Record<string, number> = {};
  for (const { dependents, sql } of removalConstraints) {
    const [row] = await manager.query<{ count: number }[]>(sql, [[id]]);
    if (row) users[dependents] = row.count;
  }
  if (Object.keys(users).length > 0) throw new RecordInUseError(word, pathId, users);
}
