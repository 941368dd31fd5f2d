-- The records whose views may have changed although their documents did not: (list, id), each once.
-- $1 datasets of which an exposure or an endpoint changed, $2 projects that lost a dataset, $3 projects on which rights
-- changed: arrays of ids. $4 whether *protected* on a project extends to its datasets and contracts.
WITH project AS (
  SELECT unnest($2::integer[]) AS id
  UNION
  SELECT project_id FROM datasets WHERE id = ANY ($1::integer[]) AND project_id IS NOT NULL
)
SELECT 'datasets' AS list, unnest($1::integer[]) AS id
UNION SELECT 'projects', id FROM project
UNION SELECT 'contracts', contract.id FROM contracts AS contract JOIN project ON project.id = contract.project_id
UNION SELECT 'projects', unnest($3::integer[])
UNION SELECT 'datasets', id FROM datasets WHERE $4::boolean AND project_id = ANY ($3::integer[])
UNION SELECT 'contracts', id FROM contracts WHERE $4::boolean AND project_id = ANY ($3::integer[])
