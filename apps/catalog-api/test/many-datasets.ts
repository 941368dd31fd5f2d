import type { TestStore } from './store.js';

/**
 * The SQL that adds datasets to an empty catalog, each with two data declarations of three conditions and one row of
 * every other part.
 */
export function manyDatasets(count: number): string {
  return `
    INSERT INTO users (id, first_name, last_name, email) VALUES (900, 'Ida', 'Many', 'ida@example.org');
    INSERT INTO partners (id, name) VALUES (900, 'Partner of many');
    INSERT INTO platforms (id, name) VALUES (900, 'Server of many');
    INSERT INTO projects (id, acronym, external_id) VALUES (900, 'MANY', 'RDC_900');
    INSERT INTO datasets (id, external_id, uuid, name, project_id, created_at)
      SELECT 1000 + n, 'RDC_' || 1000 + n, gen_random_uuid(), 'Dataset ' || n, 900, now() + n * interval '1 ms'
        FROM generate_series(1, ${String(count)}) AS n;
    INSERT INTO data_declarations (id, dataset_id, position, title)
      SELECT id * 2 + which, id, which, 'Declaration ' || which FROM datasets, generate_series(0, 1) AS which WHERE id > 1000;
    INSERT INTO use_conditions (data_declaration_id, position, use_class, use_condition_note)
      SELECT id, which, 'PS', repeat('note ', 10) FROM data_declarations, generate_series(0, 2) AS which WHERE dataset_id > 1000;
    INSERT INTO storage_locations (dataset_id, platform_id, location) SELECT id, 900, '/data/' || id FROM datasets WHERE id > 1000;
    INSERT INTO transfers (dataset_id, partner_id) SELECT id, 900 FROM datasets WHERE id > 1000;
    INSERT INTO legal_bases (dataset_id, legal_basis_codes) SELECT id, '{6.1(a)}' FROM datasets WHERE id > 1000;
    INSERT INTO dataset_custodians (dataset_id, user_id) SELECT id, 900 FROM datasets WHERE id > 1000;
    ANALYZE`;
}

/** Adds many datasets with their documents to the catalog of a suite. */
export async function addDatasets(
  { dataSource, documents }: Pick<TestStore, 'dataSource' | 'documents'>,
  count: number,
): Promise<void> {
  await dataSource.query(manyDatasets(count));
  await documents.rebuildAll();
}
