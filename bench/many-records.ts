/**
 * Creates a project, a contract, a partner, a cohort and a user for each dataset. One user is custodian of all projects,
 * and all datasets are exposed to one endpoint.
 */
export const manyRecords = `
  INSERT INTO projects (id, acronym, external_id, name, created_at)
    SELECT id, 'PROJECT-' || id, 'RDC_P' || id, 'Project ' || id, created_at FROM datasets;
  UPDATE datasets SET project_id = id;
  INSERT INTO contracts (id, name, project_id, created_at) SELECT id, 'Contract ' || id, id, created_at FROM datasets;
  INSERT INTO partners (id, name, published) SELECT id, 'Partner ' || id, true FROM datasets;
  INSERT INTO cohorts (id, name, published, created_at) SELECT id, 'Cohort ' || id, true, created_at FROM datasets;
  INSERT INTO users (id, first_name, last_name) SELECT id, 'First ' || id, 'Last ' || id FROM datasets;
  INSERT INTO project_custodians (project_id, user_id) SELECT id, 900 FROM projects;
  INSERT INTO contract_custodians (contract_id, user_id) SELECT id, 900 FROM contracts;
  INSERT INTO endpoints (id, name) VALUES (900, 'Endpoint of many');
  INSERT INTO exposures (dataset_id, endpoint_id, form_id) SELECT id, 900, 1 FROM datasets;
  ANALYZE;`;
