-- Builds the stored documents of datasets, one row per dataset. The order of the members is part of the interface. The
-- storages are separate columns, because endpoints see neither names nor paths of platforms that are not public. Exposures
-- are joined when a document is read.
-- $1: ids, or null for all datasets. $2: the name of the home organisation, or null.
SELECT
  dataset.id,
  dataset.created_at,
  dataset.source,
  row_to_json(document) AS body,
  array_to_json(ARRAY(
    SELECT storage FROM (
      SELECT platform.name AS platform, nullif(location.location, '') AS location, location.category, location.accesses
      FROM storage_locations AS location
      JOIN platforms AS platform ON platform.id = location.platform_id
      WHERE location.dataset_id = dataset.id
      ORDER BY location.position, location.id
    ) AS storage
  )) AS storages,
  array_to_json(ARRAY(
    SELECT storage FROM (
      SELECT
        CASE WHEN platform.public THEN platform.name END AS platform,
        CASE WHEN platform.public THEN nullif(location.location, '') END AS location,
        location.category,
        location.accesses
      FROM storage_locations AS location
      JOIN platforms AS platform ON platform.id = location.platform_id
      WHERE location.dataset_id = dataset.id
      ORDER BY location.position, location.id
    ) AS storage
  )) AS public_storages
FROM datasets AS dataset
LEFT JOIN projects AS project ON project.id = dataset.project_id
CROSS JOIN LATERAL (
  SELECT
    dataset.id::text AS id_at_source,
    dataset.external_id,
    dataset.name,
    nullif(dataset.description, '') AS description,
    dataset.uuid,
    dataset.uuid AS elu_uuid,
    nullif(dataset.other_external_id, '') AS other_external_id,
    project.acronym AS project,
    project.external_id AS project_external_id,
    array_to_json(ARRAY(
      SELECT declaration FROM (
        SELECT
          declaration.title,
          array_to_json(ARRAY(
            SELECT named FROM (
              SELECT cohort.name AS cohort, cohort.external_id AS cohort_external_id
              FROM data_declaration_cohorts AS link
              JOIN cohorts AS cohort ON cohort.id = link.cohort_id
              WHERE link.data_declaration_id = declaration.id
              ORDER BY link.position, cohort.id
            ) AS named
          )) AS cohorts,
          ARRAY(SELECT DISTINCT data_type FROM unnest(declaration.data_types) AS data_type ORDER BY data_type)
            AS data_types,
          nullif(declaration.data_types_notes, '') AS data_types_notes,
          declaration.access_category,
          nullif(declaration.access_procedure, '') AS access_procedure,
          declaration.subjects_category,
          declaration.de_identification,
          declaration.consent_status,
          declaration.has_special_subjects,
          nullif(declaration.special_subjects_description, '') AS special_subjects_description,
          declaration.embargo_date,
          declaration.storage_end_date,
          nullif(declaration.storage_duration_criteria, '') AS storage_duration_criteria,
          array_to_json(ARRAY(
            SELECT condition FROM (
              SELECT
                condition.use_class,
                class.label AS use_class_label,
                nullif(condition.use_class_note, '') AS use_class_note,
                nullif(condition.use_condition_note, '') AS use_condition_note,
                condition.use_condition_rule
              FROM use_conditions AS condition
              JOIN labelled_use_classes AS class ON class.code = condition.use_class
              WHERE condition.data_declaration_id = declaration.id
              ORDER BY condition.position, condition.id
            ) AS condition
          )) AS use_conditions
        FROM data_declarations AS declaration
        WHERE declaration.dataset_id = dataset.id
        ORDER BY declaration.position, declaration.id
      ) AS declaration
    )) AS data_declarations,
    array_to_json(ARRAY(
      SELECT basis FROM (
        SELECT
          basis.legal_basis_codes,
          basis.personal_data_codes,
          nullif(basis.legal_basis_notes, '') AS legal_basis_notes,
          ARRAY(
            SELECT declaration.title
            FROM legal_basis_declarations AS link
            JOIN data_declarations AS declaration ON declaration.id = link.data_declaration_id
            WHERE link.legal_basis_id = basis.id
            ORDER BY declaration.position, declaration.id
          ) AS data_declarations
        FROM legal_bases AS basis
        WHERE basis.dataset_id = dataset.id
        ORDER BY basis.position, basis.id
      ) AS basis
    )) AS legal_bases,
    array_to_json(ARRAY(
      SELECT transfer FROM (
        SELECT partner.name AS partner, nullif(transfer.transfer_details, '') AS transfer_details, transfer.transfer_date
        FROM transfers AS transfer
        LEFT JOIN partners AS partner ON partner.id = transfer.partner_id
        WHERE transfer.dataset_id = dataset.id
        ORDER BY transfer.position, transfer.id
      ) AS transfer
    )) AS transfers,
    array_to_json(ARRAY(
      SELECT custodian FROM (
        SELECT exported_name(users.first_name, users.last_name) AS first_name,
          exported_name(users.last_name, users.first_name) AS last_name,
          nullif(users.email, '') AS email,
          CASE WHEN users.is_principal_investigator THEN 'Principal_Investigator' ELSE 'Researcher' END AS role,
          array_remove(ARRAY[$2::text], NULL) AS affiliations
        FROM dataset_custodians AS link
        JOIN users ON users.id = link.user_id
        WHERE link.dataset_id = dataset.id
        ORDER BY users.last_name, users.first_name, users.id
      ) AS custodian
    )) AS contacts,
    dataset.metadata::text AS metadata
) AS document
WHERE $1::integer[] IS NULL OR dataset.id = ANY ($1::integer[])
