import type { Principal } from '@rdc/auth';
import type { DataSource } from 'typeorm';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { sql } from '../../platform/database/sql.js';
import { itemOf, rowsOf } from '../../publishing/documents/document-query.js';
import type { LinkedData } from './linked-data.js';

type Node = Readonly<Record<string, unknown>>;

/** Datasets of one statement. */
const batchSize = 200;

/** Reads the published datasets as a caller reads them in linked data, in batches, by id. */
export async function* publishedDatasets(
  dataSource: DataSource,
  linkedData: LinkedData,
  caller: Principal,
  base: string,
): AsyncGenerator<Node> {
  const query = linkedData.datasets(caller, base);
  let rows: { readonly id: number; readonly item: string }[] = [];
  let after = -1;
  do {
    const where = [sql`document.id > ${after}::integer`, ...query.where];
    rows = await runPrepared(
      poolOf(dataSource),
      sql`SELECT document.id, ${itemOf(query, base)} AS item ${rowsOf({ ...query, where })}
        ORDER BY document.id LIMIT ${batchSize}::integer`,
    );
    for (const { item } of rows) yield JSON.parse(item) as Node;
    after = rows.at(-1)?.id ?? after;
  } while (rows.length === batchSize);
}
