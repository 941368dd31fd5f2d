const record = 'The `external_id` (accession) or the `id_at_source`';
const user = 'The `id` of the user.';

/** The descriptions of the parameters of paths, by the beginning of the path up to the parameter. */
export const pathParameters: Readonly<Record<string, string>> = {
  '/api/projects/{id}': `${record} of the project.`,
  '/api/datasets/{id}': `${record} of the dataset.`,
  '/api/datasets/{dataset}': `${record} of the dataset.`,
  '/api/datasets/{dataset}/exposures/{id}': 'The `id` of the exposure.',
  '/api/contracts/{id}': 'The `id` of the contract.',
  '/api/partners/{id}': `${record} of the partner.`,
  '/api/cohorts/{id}': `${record} of the cohort.`,
  '/api/admin/projects/{id}': `${record} of the project.`,
  '/api/admin/datasets/{id}': `${record} of the dataset.`,
  '/api/admin/contracts/{id}': 'The `id` of the contract.',
  '/api/dcat/datasets/{id}': 'The accession of the dataset.',
  '/api/dcat/projects/{id}': 'The accession of the project.',
  '/api/import/{resource}': 'The kind of record: `projects`, `datasets`, `contracts`, `partners` or `cohorts`.',
  '/api/import/terms/{category}': 'The vocabulary: `disease`, `phenotype`, `study` or `gene`.',
  '/api/termsearch/{category}': 'The vocabulary: `disease`, `phenotype`, `study` or `gene`.',
  '/api/permissions/{user_oidc_id}': 'The subject of the person at the identity provider (claim `sub`).',
  '/api/sessions/{session}': 'The `id` of the session.',
  '/api/admin/accesses/{id}': 'The `id` of the access.',
  '/api/admin/endpoints/{id}': 'The `id` of the endpoint.',
  '/api/admin/grants/{id}': 'The `id` of the grant.',
  '/api/admin/platforms/{id}': 'The `id` of the platform.',
  '/api/admin/refused-entitlements/{id}': 'The `id` of the refused entitlement.',
  '/api/admin/service-keys/{id}': 'The `id` of the service key.',
  '/api/admin/throttles/{id}': 'The `id` of the throttle.',
  '/api/admin/users/{id}': user,
  '/api/admin/users/{id}/sessions/{session}': 'The `id` of the session.',
};
