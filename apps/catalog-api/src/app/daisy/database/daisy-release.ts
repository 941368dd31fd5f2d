import { UsageError } from '@rdc/cli';
import type { Client } from 'pg';

/** The last migration of DAISY's own tables, by version. Versions between two entries have the tables of the earlier one. */
const releases: Readonly<Record<string, string>> = {
  '0046_alter_document_content': '1.11',
};

/**
 * Returns the version of the DAISY that a database belongs to.
 *
 * @throws UsageError if the database does not belong to a DAISY, or to a version whose tables are unknown
 */
export async function readRelease(client: Client): Promise<string> {
  const known = await client.query<{ found: boolean }>(
    `SELECT to_regclass('django_migrations') IS NOT NULL AND to_regclass('core_dataset') IS NOT NULL AS found`,
  );
  if (!known.rows[0]?.found) {
    throw new UsageError('The database has no tables of a DAISY. Check the name of the database in --database.');
  }
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM django_migrations WHERE app = 'core' ORDER BY name DESC LIMIT 1`,
  );
  const last = rows[0]?.name ?? 'none';
  const release = releases[last];
  if (release !== undefined) return release;
  throw new UsageError(
    `The tables of this DAISY are unknown: its last migration is ${last}. Supported: ${supported()}. ` +
      'Update the DAISY to a supported version first, or import it with --url.',
  );
}

function supported(): string {
  return Object.entries(releases)
    .map(([migration, release]) => `DAISY ${release} (${migration})`)
    .join(', ');
}
