-- Returns the documents that depend on changed records: (list, id), each once.
-- $1 users, $2 contacts, $3 partners, $4 cohorts, $5 platforms, $6 projects, $7 datasets, $8 contracts: arrays of ids.
WITH people AS (
  SELECT unnest($2::integer[]) AS contact_id
  UNION
  SELECT contact_id FROM contact_affiliations WHERE partner_id = ANY ($3::integer[])
)
SELECT 'projects' AS list, unnest($6::integer[]) AS id
UNION SELECT 'projects', project_id FROM project_custodians WHERE user_id = ANY ($1::integer[])
UNION SELECT 'projects', project_id FROM project_personnel WHERE user_id = ANY ($1::integer[])
UNION SELECT 'projects', project_id FROM project_contacts JOIN people USING (contact_id)

UNION SELECT 'datasets', unnest($7::integer[])
UNION SELECT 'datasets', dataset_id FROM dataset_custodians WHERE user_id = ANY ($1::integer[])
UNION SELECT 'datasets', dataset_id FROM transfers WHERE partner_id = ANY ($3::integer[])
UNION SELECT 'datasets', declaration.dataset_id FROM data_declaration_cohorts AS link
  JOIN data_declarations AS declaration ON declaration.id = link.data_declaration_id
  WHERE link.cohort_id = ANY ($4::integer[])
UNION SELECT 'datasets', dataset_id FROM storage_locations WHERE platform_id = ANY ($5::integer[])
UNION SELECT 'datasets', id FROM datasets WHERE project_id = ANY ($6::integer[])

UNION SELECT 'contracts', unnest($8::integer[])
UNION SELECT 'contracts', contract_id FROM contract_custodians WHERE user_id = ANY ($1::integer[])
UNION SELECT 'contracts', contract_id FROM partner_roles WHERE partner_id = ANY ($3::integer[])
UNION SELECT 'contracts', role.contract_id FROM partner_roles AS role
  JOIN partner_role_contacts AS link ON link.partner_role_id = role.id
  JOIN people USING (contact_id)

UNION SELECT 'partners', unnest($3::integer[])

UNION SELECT 'cohorts', unnest($4::integer[])
UNION SELECT 'cohorts', cohort_id FROM cohort_institutes WHERE partner_id = ANY ($3::integer[])
UNION SELECT 'cohorts', cohort_id FROM cohort_contacts JOIN people USING (contact_id)
