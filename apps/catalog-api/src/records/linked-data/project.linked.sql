-- Builds the stored JSON-LD of projects, with IRIs relative to the base of the document. It contains no person and no note
-- on ethics approvals.
-- $1: ids, or null for all projects.
SELECT project.id, json_strip_nulls(row_to_json(document)) AS linked
FROM projects AS project
CROSS JOIN LATERAL (
  SELECT
    coalesce(nullif(project.name, ''), project.acronym) AS title,
    jsonb_path_query_array(project.metadata, 'lax $.keywords[*] ? (@.type() == "string")') AS keywords
) AS own
CROSS JOIN LATERAL (
  SELECT
    'api/dcat/projects/' || iri_segment(coalesce(project.external_id, project.id::text)) AS "@id",
    '{prov:Activity,foaf:Project,schema:ResearchProject}'::text[] AS "@type",
    own.title AS "dct:title",
    own.title AS "schema:name",
    project.acronym AS "schema:alternateName",
    nullif(project.description, '') AS "dct:description",
    nullif(project.description, '') AS "schema:description",
    project.external_id AS "dct:identifier",
    project.external_id AS "schema:identifier",
    nullif(own.keywords, '[]') AS "schema:keywords",
    project.start_date::text || 'T00:00:00Z' AS "prov:startedAtTime",
    project.end_date::text || 'T00:00:00Z' AS "prov:endedAtTime",
    (SELECT json_agg(
        json_build_object('@id', 'https://doi.org/' || found[1] || '/' || iri_segment(found[2])) ORDER BY position, id
      ) FROM publications
      CROSS JOIN LATERAL regexp_matches(doi, '(10\.[0-9]{4,9})/(\S+)$') AS found
      WHERE project_id = project.id) AS "dct:isReferencedBy"
) AS document
WHERE $1::integer[] IS NULL OR project.id = ANY ($1::integer[])
