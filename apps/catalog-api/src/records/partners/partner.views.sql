-- Returns each view that contains the partners, with a digest of the content that the view shows. The view `key` includes
-- the flag `published`, because callers with a key can filter by it. The conditions must match visibility.ts.
-- $1: ids. $2: the setting PROTECTED_INHERITS; not used.
WITH document AS MATERIALIZED (
  SELECT document.id, partner.external_id, document.published,
    md5(coalesce(document.source, E'\x1e') || E'\x1f' || document.body) AS body
  FROM partner_documents AS document JOIN partners AS partner ON partner.id = document.id
  WHERE document.id = ANY ($1::integer[]) AND $2::boolean IS NOT NULL
)
SELECT 'key' AS view, id AS record_id, external_id, md5(ROW(body, published)::text)::uuid AS digest FROM document
UNION ALL
SELECT 'anonymous', id, external_id, body::uuid FROM document WHERE published
