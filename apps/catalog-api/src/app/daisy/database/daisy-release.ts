import { UsageError } from '@rdc/cli';
import type { Client } from 'pg';

/** The supported versions, by the last migration of DAISY's own tables. */
const releases: Readonly<Record<string, string>> = {
  '0036_use_restriction_codes': '1.8',
  '0038_auto_20241018_1733': '1.8.2',
  '0039_auto_20250219_1834': '1.9',
  '0044_auto_20250716_1217': '1.10',
  '0045_exposure_request_pdf_enabled': '1.11',
  '0046_alter_document_content': '1.11',
};

/** The version of a DAISY. */
export interface DaisyRelease {
  /** Such as `1.11`. */
  readonly version: string;
  /** The number of the last migration of DAISY's own tables. */
  readonly migration: number;
}

/**
 * Returns the version of the DAISY that a database belongs to.
 *
 * @throws UsageError if the database does not belong to a DAISY, or to a version whose tables are unknown
 */
export async function readRelease(client: Client): Promise<DaisyRelease> {
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
  const version = releases[last];
  if (version !== undefined) return { version, migration: Number.parseInt(last, 10) };
  throw new UsageError(
    `The tables of this DAISY are unknown: its last migration is ${last}. Supported: ${supported()}. ` +
      'Update the DAISY to a supported version first, or import it with --url.',
  );
}

function supported(): string {
  return Object.entries(releases)
    .map(([migration, version]) => `DAISY ${version} (${migration})`)
    .join(', ');
}
