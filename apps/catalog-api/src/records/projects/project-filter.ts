import { canBeId } from '../../platform/database/ids.js';
import { sql, type Sql } from '../../platform/database/sql.js';

/** The id of the project that `project_id` means: an `id_at_source` first, an `external_id` when none matches. */
export function projectIdOf(text: string): Sql {
  const byAccession = sql`(SELECT id FROM projects WHERE external_id = ${text})`;
  return canBeId(text)
    ? sql`coalesce((SELECT id FROM projects WHERE id = ${text}::integer), ${byAccession})`
    : byAccession;
}
