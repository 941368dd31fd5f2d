-- Returns each view that contains the projects, with a digest of the content that the view shows: the JSON and, if the
-- project is published to the view, the JSON-LD. The conditions must match visibility.ts.
-- $1: ids. $2: the setting PROTECTED_INHERITS; not used.
WITH exposed AS (
  SELECT dataset.project_id, exposure.endpoint_id, bool_or(exposure.deprecated_at IS NULL) AS active,
    bool_or(exposure.deprecated_at IS NULL AND endpoint.public) AS public
  FROM datasets AS dataset
  JOIN exposures AS exposure ON exposure.dataset_id = dataset.id
  JOIN endpoints AS endpoint ON endpoint.id = exposure.endpoint_id
  WHERE dataset.project_id = ANY ($1::integer[])
  GROUP BY dataset.project_id, exposure.endpoint_id
),
document AS MATERIALIZED (
  SELECT document.id, project.external_id,
    md5(coalesce(document.source, E'\x1e') || E'\x1f' || document.body) AS body,
    md5(document.linked) AS linked,
    EXISTS (SELECT FROM exposed WHERE project_id = document.id AND active) AS active,
    EXISTS (SELECT FROM exposed WHERE project_id = document.id AND public) AS public
  FROM project_documents AS document JOIN projects AS project ON project.id = document.id
  WHERE document.id = ANY ($1::integer[]) AND $2::boolean IS NOT NULL
)
SELECT 'all' AS view, id AS record_id, external_id,
  md5(ROW(body, CASE WHEN active THEN linked END)::text)::uuid AS digest FROM document
UNION ALL
SELECT 'anonymous', id, external_id, linked::uuid FROM document WHERE public
UNION ALL
SELECT 'endpoint:' || exposed.endpoint_id, id, external_id,
  md5(ROW(body, CASE WHEN exposed.active THEN linked END)::text)::uuid
FROM document JOIN exposed ON exposed.project_id = document.id
UNION ALL
SELECT 'user:' || holder.user_id, id, external_id, md5(ROW(body, CASE WHEN active THEN linked END)::text)::uuid
FROM document
JOIN (
  SELECT project_id, user_id FROM project_custodians WHERE project_id = ANY ($1::integer[])
  UNION
  SELECT project_id, user_id FROM grants WHERE project_id = ANY ($1::integer[])
) AS holder ON holder.project_id = document.id
UNION ALL
SELECT 'service:' || service.id, document.id, external_id, md5(ROW(body, CASE WHEN active THEN linked END)::text)::uuid
FROM document JOIN limited_readers AS service ON document.external_id = ANY (service.projects)
