import { canBeId } from '../../platform/database/ids.js';
import { sql, type Sql } from '../../platform/database/sql.js';

/** Returns SQL for the id of the project with an `id_at_source` or, if there is none, with an `external_id`. */
export function projectIdOf(text: string): Sql {
  const byAccession = sql`(SELECT id FROM projects WHERE external_id = ${text})`;
  return canBeId(text)
    ? sql`coalesce((SELECT id FROM projects WHERE id = ${text}::integer), ${byAccession})`
    : byAccession;
}
