-- Builds the stored documents of partners, one row per partner. The order of the members is part of the interface.
-- $1: ids, or null for all partners. $2: the name of the home organisation, or null; not used.
SELECT
  partner.id,
  partner.created_at,
  partner.source,
  left(partner.name, 500) AS name,
  partner.published,
  row_to_json(document) AS body
FROM partners AS partner
CROSS JOIN LATERAL (
  SELECT
    partner.id::text AS id_at_source,
    partner.external_id,
    partner.name,
    nullif(partner.acronym, '') AS acronym,
    partner.is_clinical,
    partner.geo_category,
    partner.sector_category,
    nullif(partner.address, '') AS address,
    partner.country_code,
    partner.metadata::text AS metadata
) AS document
WHERE ($1::integer[] IS NULL OR partner.id = ANY ($1::integer[])) AND ($2::text IS NULL OR true)
