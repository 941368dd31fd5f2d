import type { EntityManager } from 'typeorm';
import type { RecordBody, RecordKind } from '../../publishing/writing/record-kind.js';
import type { WriteItem } from '../../publishing/writing/write-item.js';

/** Finds the record of each item by accession, else by name. @returns the ids of the found records by item index */
export async function findRecords<Body extends RecordBody>(
  manager: EntityManager,
  kind: RecordKind<Body>,
  items: readonly WriteItem<Body>[],
): Promise<Map<number, number>> {
  const given = items.map(({ index, body }) => ({
    index,
    ...(body as unknown as Record<string, unknown>),
  }));
  const rows = await manager.query<{ index: number; id: number }[]>(statementFor(kind), [JSON.stringify(given)]);
  return new Map(rows.map(({ index, id }) => [index, id]));
}

function statementFor({ list, naturalKey }: Pick<RecordKind, 'list' | 'naturalKey'>): string {
  // A contract has neither accession nor unique name. It matches by name and project; the index is on the start of the name.
  if (naturalKey === null) {
    return `SELECT given.index, min(record.id) AS id
              FROM jsonb_to_recordset($1::jsonb) AS given (index integer, name text, project_id integer)
              JOIN ${list} AS record ON name_order(record.name) = name_order(given.name) AND record.name = given.name AND record.name <> ''
               AND record.project_id IS NOT DISTINCT FROM given.project_id
             GROUP BY given.index HAVING count(*) = 1`;
  }
  return `SELECT given.index, coalesce(by_accession.id, by_name.id) AS id
            FROM jsonb_to_recordset($1::jsonb) AS given (index integer, external_id text, ${naturalKey} text)
            LEFT JOIN ${list} AS by_accession ON by_accession.external_id = given.external_id
            LEFT JOIN ${list} AS by_name ON by_name.${naturalKey} = given.${naturalKey}
             AND (given.external_id IS NULL OR by_name.external_id IS NULL)
           WHERE coalesce(by_accession.id, by_name.id) IS NOT NULL`;
}
