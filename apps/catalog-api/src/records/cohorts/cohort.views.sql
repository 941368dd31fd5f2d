-- Returns each view that contains the cohorts, with a digest of the content that the view shows. The conditions must match
-- visibility.ts.
-- $1: ids. $2: the setting PROTECTED_INHERITS; not used.
WITH document AS MATERIALIZED (
  SELECT document.id, cohort.external_id, document.published, document.people, document.public_people,
    md5(coalesce(document.source, E'\x1e') || E'\x1f' || document.body) AS body
  FROM cohort_documents AS document JOIN cohorts AS cohort ON cohort.id = document.id
  WHERE document.id = ANY ($1::integer[]) AND $2::boolean IS NOT NULL
)
SELECT 'all' AS view, id AS record_id, external_id, md5(ROW(body, people, published)::text)::uuid AS digest
FROM document
UNION ALL
SELECT 'key', id, external_id, md5(ROW(body, people)::text)::uuid FROM document WHERE published
UNION ALL
SELECT 'anonymous', id, external_id, md5(ROW(body, public_people)::text)::uuid FROM document WHERE published
