-- Returns each view that contains the contracts, with a digest of the content that the view shows. The conditions must
-- match visibility.ts.
-- $1: ids. $2: the setting PROTECTED_INHERITS.
WITH document AS MATERIALIZED (
  SELECT document.id, contract.project_id,
    md5(coalesce(document.source, E'\x1e') || E'\x1f' || document.body)::uuid AS digest
  FROM contract_documents AS document JOIN contracts AS contract ON contract.id = document.id
  WHERE document.id = ANY ($1::integer[])
),
exposed AS (
  SELECT DISTINCT dataset.project_id, exposure.endpoint_id
  FROM datasets AS dataset JOIN exposures AS exposure ON exposure.dataset_id = dataset.id
  WHERE dataset.project_id IN (SELECT project_id FROM document)
),
base AS (SELECT * FROM document WHERE project_id IN (SELECT project_id FROM exposed))
SELECT 'all' AS view, id AS record_id, NULL::varchar AS external_id, digest FROM document
UNION ALL
SELECT 'base', id, NULL, digest FROM base
UNION ALL
SELECT 'endpoint:' || endpoint_id, id, NULL, digest FROM document JOIN exposed USING (project_id)
UNION ALL
SELECT 'user:' || holder.user_id, id, NULL, digest
FROM base
JOIN (
  SELECT contract_id, user_id FROM contract_custodians WHERE contract_id = ANY ($1::integer[])
  UNION
  SELECT contract_id, user_id FROM grants WHERE contract_id = ANY ($1::integer[])
  UNION
  SELECT contract.id, custodian.user_id
  FROM contracts AS contract JOIN project_custodians AS custodian USING (project_id)
  WHERE $2::boolean AND contract.id = ANY ($1::integer[])
  UNION
  SELECT contract.id, held.user_id
  FROM contracts AS contract JOIN grants AS held ON held.project_id = contract.project_id
  WHERE $2::boolean AND contract.id = ANY ($1::integer[])
) AS holder ON holder.contract_id = base.id
UNION ALL
SELECT part.view, part.id, NULL, part.digest
FROM document
JOIN projects AS project ON project.id = document.project_id
JOIN limited_readers AS service ON project.external_id = ANY (service.projects)
CROSS JOIN LATERAL (
  SELECT 'service:' || service.id AS view, document.id, document.digest
  UNION ALL
  SELECT 'service:' || service.id || ':base', base.id, base.digest FROM base WHERE base.id = document.id
) AS part
