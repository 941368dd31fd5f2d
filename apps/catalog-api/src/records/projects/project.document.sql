-- Builds the stored documents of projects, one row per project. The order of the members is part of the interface.
-- $1: ids, or null for all projects. $2: the name of the home organisation, or null.
SELECT
  project.id,
  project.created_at,
  project.source,
  row_to_json(document) AS body
FROM projects AS project
CROSS JOIN LATERAL (
  SELECT
    project.id::text AS id_at_source,
    project.acronym,
    project.external_id,
    project.name,
    nullif(project.description, '') AS description,
    project.has_institutional_ethics_approval,
    project.has_national_ethics_approval,
    nullif(project.institutional_ethics_approval_notes, '') AS institutional_ethics_approval_notes,
    nullif(project.national_ethics_approval_notes, '') AS national_ethics_approval_notes,
    project.start_date,
    project.end_date,
    -- External contacts, then custodians, then personnel. A person appears once: a custodian only as custodian.
    array_to_json(ARRAY(
      SELECT contact FROM (
        SELECT exported_name(contact.first_name, contact.last_name) AS first_name,
          exported_name(contact.last_name, contact.first_name) AS last_name,
          nullif(contact.email, '') AS email, contact.type AS role,
          array_to_json(ARRAY(
            SELECT partner.name
            FROM contact_affiliations AS affiliation
            JOIN partners AS partner ON partner.id = affiliation.partner_id
            WHERE affiliation.contact_id = contact.id
            ORDER BY affiliation.position, partner.id
          )) AS affiliations
        FROM project_contacts AS link
        JOIN contacts AS contact ON contact.id = link.contact_id
        WHERE link.project_id = project.id
          AND NOT EXISTS (
            SELECT FROM users
            WHERE (users.subject = contact.subject OR lower(users.email) = lower(nullif(contact.email, '')))
              AND users.id IN (
                SELECT user_id FROM project_custodians WHERE project_id = project.id
                UNION ALL
                SELECT user_id FROM project_personnel WHERE project_id = project.id
              )
          )
        ORDER BY link.position, contact.id
      ) AS contact
    ) || ARRAY(
      SELECT custodian FROM (
        SELECT exported_name(users.first_name, users.last_name) AS first_name,
          exported_name(users.last_name, users.first_name) AS last_name,
          nullif(users.email, '') AS email,
          'Principal_Investigator'::varchar AS role,
          array_to_json(array_remove(ARRAY[$2::text], NULL)) AS affiliations
        FROM project_custodians AS link
        JOIN users ON users.id = link.user_id
        WHERE link.project_id = project.id
        ORDER BY users.last_name, users.first_name, users.id
      ) AS custodian
    ) || ARRAY(
      SELECT member FROM (
        SELECT exported_name(users.first_name, users.last_name) AS first_name,
          exported_name(users.last_name, users.first_name) AS last_name,
          nullif(users.email, '') AS email, 'Researcher'::varchar AS role,
          array_to_json(array_remove(ARRAY[$2::text], NULL)) AS affiliations
        FROM project_personnel AS link
        JOIN users ON users.id = link.user_id
        WHERE link.project_id = project.id
          AND NOT EXISTS (
            SELECT FROM project_custodians AS custodian
            WHERE custodian.project_id = project.id AND custodian.user_id = link.user_id
          )
        ORDER BY users.last_name, users.first_name, users.id
      ) AS member
    )) AS contacts,
    array_to_json(ARRAY(
      SELECT publication FROM (
        SELECT nullif(publication.citation, '') AS citation, nullif(publication.doi, '') AS doi
        FROM publications AS publication
        WHERE publication.project_id = project.id
        ORDER BY publication.position, publication.id
      ) AS publication
    )) AS publications,
    project.metadata::text AS metadata
) AS document
WHERE $1::integer[] IS NULL OR project.id = ANY ($1::integer[])
