-- Returns each view that contains the datasets, with a digest of the content that the view shows: the JSON and, if the
-- dataset is published to the view, the JSON-LD. The conditions must match visibility.ts.
-- $1: ids. $2: the setting PROTECTED_INHERITS.
WITH exposed AS (
  SELECT DISTINCT ON (exposure.dataset_id, exposure.endpoint_id)
    exposure.dataset_id, exposure.endpoint_id, exposure.form_id, exposure.created_at, exposure.deprecated_at,
    exposure.deprecation_notes, exposure.request_pdf_enabled, endpoint.public,
    landing_page(endpoint.url_pattern, dataset.external_id) AS page
  FROM exposures AS exposure
  JOIN endpoints AS endpoint ON endpoint.id = exposure.endpoint_id
  JOIN datasets AS dataset ON dataset.id = exposure.dataset_id
  WHERE exposure.dataset_id = ANY ($1::integer[])
  ORDER BY exposure.dataset_id, exposure.endpoint_id, exposure.deprecated_at DESC NULLS FIRST, exposure.id DESC
),
published AS (
  SELECT dataset_id,
    min(created_at) AS issued,
    min(created_at) FILTER (WHERE public) AS publicly_issued,
    string_agg(DISTINCT page, ' ' ORDER BY page) FILTER (WHERE public) AS pages
  FROM exposed WHERE deprecated_at IS NULL GROUP BY dataset_id
),
document AS MATERIALIZED (
  SELECT document.id, dataset.external_id, published.publicly_issued, published.pages, part.linked,
    md5(ROW(part.body, md5(document.public_storages))::text) AS limited,
    md5(ROW(part.body, md5(document.storages), published.issued,
      CASE WHEN published.issued IS NOT NULL THEN ROW(part.linked, published.pages)::text END)::text)::uuid AS whole
  FROM dataset_documents AS document
  JOIN datasets AS dataset ON dataset.id = document.id
  LEFT JOIN published ON published.dataset_id = document.id
  CROSS JOIN LATERAL (
    SELECT md5(coalesce(document.source, E'\x1e') || E'\x1f' || document.body) AS body, md5(document.linked) AS linked
    OFFSET 0
  ) AS part
  WHERE document.id = ANY ($1::integer[])
)
SELECT 'all' AS view, id AS record_id, external_id, whole AS digest FROM document
UNION ALL
SELECT 'anonymous', id, external_id, md5(ROW(linked, publicly_issued, pages)::text)::uuid
FROM document WHERE publicly_issued IS NOT NULL
UNION ALL
SELECT 'endpoint:' || exposed.endpoint_id, id, external_id,
  md5(ROW(limited, form_id, created_at, deprecated_at, nullif(deprecation_notes, ''), request_pdf_enabled,
    CASE WHEN deprecated_at IS NULL THEN ROW(linked, page)::text END)::text)::uuid
FROM document JOIN exposed ON exposed.dataset_id = document.id
UNION ALL
SELECT 'user:' || holder.user_id, id, external_id, whole
FROM document
JOIN (
  SELECT dataset_id, user_id FROM dataset_custodians WHERE dataset_id = ANY ($1::integer[])
  UNION
  SELECT dataset_id, user_id FROM grants WHERE dataset_id = ANY ($1::integer[])
  UNION
  SELECT dataset.id, custodian.user_id
  FROM datasets AS dataset JOIN project_custodians AS custodian USING (project_id)
  WHERE $2::boolean AND dataset.id = ANY ($1::integer[])
  UNION
  SELECT dataset.id, held.user_id
  FROM datasets AS dataset JOIN grants AS held ON held.project_id = dataset.project_id
  WHERE $2::boolean AND dataset.id = ANY ($1::integer[])
) AS holder ON holder.dataset_id = document.id
UNION ALL
SELECT 'service:' || service.id, document.id, document.external_id, whole
FROM document
JOIN datasets AS dataset ON dataset.id = document.id
JOIN projects AS project ON project.id = dataset.project_id
JOIN limited_readers AS service ON project.external_id = ANY (service.projects)
