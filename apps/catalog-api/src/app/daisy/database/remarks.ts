import type { Settings } from '@rdc/settings';
import type { EntityManager } from 'typeorm';
import { DocumentsSettings } from '../../../publishing/documents/documents.settings.js';
import type { DaisyDatabase } from './daisy-database.js';

/** Selects each accession that records of several kinds have in DAISY, with the names of these records. */
const sharedAccessions = `
  SELECT elu_accession AS accession, string_agg(record, ', ' ORDER BY record) AS records FROM (
    SELECT elu_accession, 'project/' || id AS record FROM core_project
    UNION ALL SELECT elu_accession, 'dataset/' || id FROM core_dataset
    UNION ALL SELECT elu_accession, 'partner/' || id FROM core_partner
    UNION ALL SELECT elu_accession, 'cohort/' || id FROM core_cohort
  ) AS named WHERE btrim(elu_accession) <> '' GROUP BY elu_accession HAVING count(*) > 1 ORDER BY elu_accession`;

/** Returns remarks on data that no report line of a record mentions. */
export async function remarksOn(settings: Settings, daisy: DaisyDatabase, manager: EntityManager): Promise<string[]> {
  const { HOME_ORGANISATION, SERVER_URL } = settings.get(DocumentsSettings);
  const shared = await daisy.all<{ accession: string; records: string }>(sharedAccessions);
  const [{ started }] = await manager.query<[{ started: boolean }]>(
    'SELECT EXISTS (SELECT FROM service_settings WHERE name = $1) AS started',
    ['KEY_HASH_SECRET'],
  );
  return [
    'Records keep their ids, so `id_at_source`, `project_id` and `institutes` name the same records as in DAISY.',
    `The \`source\` of all records is SERVER_URL (${SERVER_URL ?? 'not set'}).`,
    HOME_ORGANISATION
      ? `The affiliation of users is HOME_ORGANISATION (${HOME_ORGANISATION}).`
      : 'HOME_ORGANISATION is not set, so users have no affiliation. Set it to the name of the home organisation.',
    'Users sign in at the identity provider or with a new password. Passwords and user names were not imported.',
    'Personal keys stay valid. DAISY accepts the key of a deactivated user; the catalog refuses it.',
    'The complete record of the DAISY is in the audit trail of each imported record, under the action `import`.',
    ...(started
      ? []
      : [
          'The catalog has not started with this database yet, so its KEY_HASH_SECRET could not be compared. The keys ' +
            'are valid only if it starts with the value of this command.',
        ]),
    ...shared.map(
      ({ accession, records }) =>
        `DAISY gave the accession ${accession} to several records (${records}). Each of them that is imported keeps it.`,
    ),
  ];
}
