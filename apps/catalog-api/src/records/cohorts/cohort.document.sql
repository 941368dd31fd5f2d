-- Builds the stored documents of cohorts, one row per cohort. The order of the members is part of the interface. Contacts
-- and institutes are separate columns, because callers without a key see neither contact details nor unpublished
-- institutes.
-- $1: ids, or null for all cohorts. $2: the name of the home organisation, or null; not used.
SELECT
  cohort.id,
  cohort.created_at,
  cohort.source,
  cohort.published,
  row_to_json(document) AS body,
  row_to_json(people) AS people,
  row_to_json(public_people) AS public_people
FROM cohorts AS cohort
CROSS JOIN LATERAL (
  SELECT
    cohort.id::text AS id_at_source,
    cohort.external_id,
    cohort.name,
    nullif(cohort.description, '') AS description,
    nullif(cohort.url, '') AS url,
    cohort.has_ethics_approval,
    nullif(cohort.ethics_approval_notes, '') AS ethics_approval_notes,
    cohort.metadata::text AS metadata
) AS document
CROSS JOIN LATERAL (
  SELECT
    ARRAY(
      SELECT contact FROM (
        SELECT
          contact.id::text AS pk,
          nullif(contact.email, '') AS email,
          contact.subject AS oidc_id,
          exported_name(contact.first_name, contact.last_name) AS first_name,
          exported_name(contact.last_name, contact.first_name) AS last_name,
          nullif(contact.address, '') AS address,
          nullif(contact.phone, '') AS phone,
          contact.type,
          array_to_json(ARRAY(
            SELECT affiliation FROM (
              SELECT nullif(partner.acronym, '') AS acronym, partner.name
              FROM contact_affiliations AS affiliation
              JOIN partners AS partner ON partner.id = affiliation.partner_id
              WHERE affiliation.contact_id = contact.id
              ORDER BY affiliation.position, partner.id
            ) AS affiliation
          )) AS partners
        FROM cohort_contacts AS link
        JOIN contacts AS contact ON contact.id = link.contact_id
        WHERE link.cohort_id = cohort.id
        ORDER BY link.position, contact.id
      ) AS contact
    ) AS contacts,
    ARRAY(
      SELECT link.partner_id FROM cohort_institutes AS link
      WHERE link.cohort_id = cohort.id
      ORDER BY link.position, link.partner_id
    ) AS institutes
) AS people
CROSS JOIN LATERAL (
  SELECT
    ARRAY(
      SELECT contact FROM (
        SELECT
          contact.id::text AS pk,
          NULL AS email,
          NULL AS oidc_id,
          exported_name(contact.first_name, contact.last_name) AS first_name,
          exported_name(contact.last_name, contact.first_name) AS last_name,
          NULL AS address,
          NULL AS phone,
          contact.type,
          array_to_json(ARRAY(
            SELECT affiliation FROM (
              SELECT nullif(partner.acronym, '') AS acronym, partner.name
              FROM contact_affiliations AS affiliation
              JOIN partners AS partner ON partner.id = affiliation.partner_id
              WHERE affiliation.contact_id = contact.id
              ORDER BY affiliation.position, partner.id
            ) AS affiliation
          )) AS partners
        FROM cohort_contacts AS link
        JOIN contacts AS contact ON contact.id = link.contact_id
        WHERE link.cohort_id = cohort.id
        ORDER BY link.position, contact.id
      ) AS contact
    ) AS contacts,
    ARRAY(
      SELECT link.partner_id FROM cohort_institutes AS link
      JOIN partners AS partner ON partner.id = link.partner_id
      WHERE link.cohort_id = cohort.id AND partner.published
      ORDER BY link.position, link.partner_id
    ) AS institutes
) AS public_people
WHERE ($1::integer[] IS NULL OR cohort.id = ANY ($1::integer[])) AND ($2::text IS NULL OR true)
