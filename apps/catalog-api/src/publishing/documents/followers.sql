-- The records whose views may have changed although their documents did not: (list, id), each once.
-- $1 datasets of which an exposure or an endpoint changed, $2 projects that lost a dataset, $3 projects on which rights
-- changed: arrays of ids. $4 whether *protected* on a project extends to its datasets and contracts. $5 accessions of
-- projects that limits of service keys gained or lost, or that were given to a project: the statement runs under the lock
-- of the documents, so it finds every project and record that a concurrent write has made.
WITH project AS (
  SELECT unnest($2::integer[]) AS id
  UNION
  SELECT project_id FROM datasets WHERE id = ANY ($1::integer[]) AND project_id IS NOT NULL
),
limited AS MATERIALIZED (SELECT id FROM projects WHERE external_id = ANY ($5::text[]))
SELECT 'datasets' AS list, unnest($1::integer[]) AS id
UNION SELECT 'projects', id FROM project
UNION SELECT 'contracts', contract.id FROM contracts AS contract JOIN project ON project.id = contract.project_id
UNION SELECT 'projects', unnest($3::integer[])
UNION SELECT 'projects', id FROM limited
UNION SELECT 'datasets', dataset.id FROM datasets AS dataset JOIN limited ON limited.id = dataset.project_id
UNION SELECT 'contracts', contract.id FROM contracts AS contract JOIN limited ON limited.id = contract.project_id
UNION SELECT 'datasets', id FROM datasets WHERE $4::boolean AND project_id = ANY ($3::integer[])
UNION SELECT 'contracts', id FROM contracts WHERE $4::boolean AND project_id = ANY ($3::integer[])
