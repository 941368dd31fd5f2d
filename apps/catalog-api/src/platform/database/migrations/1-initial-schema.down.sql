DROP TABLE
  list_versions, cohort_documents, partner_documents, contract_documents, dataset_documents, project_documents,
  audit_entries, terms, accesses, grants, exposures, endpoint_keys, endpoints,
  partner_role_contacts, partner_roles, contract_custodians, contracts,
  transfers, storage_locations, platforms, legal_basis_declarations, legal_bases, use_conditions, use_classes,
  data_declaration_cohorts, data_declarations, dataset_custodians, datasets,
  publications, project_contacts, project_personnel, project_custodians, projects,
  cohort_institutes, cohort_contacts, cohorts, contact_affiliations, contacts, partners, users;
DROP FUNCTION refuse_audit_change, term_search_text, search_form;
DROP SEQUENCE accession_numbers;
DROP EXTENSION unaccent;
DROP EXTENSION pg_trgm;
