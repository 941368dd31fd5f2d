import { cohortSchema } from '../cohorts/cohort.schema.js';
import { contractSchema } from '../contracts/contract.schema.js';
import { datasetSchema } from '../datasets/dataset.schema.js';
import { partnerSchema } from '../partners/partner.schema.js';
import { projectSchema } from '../projects/project.schema.js';
import type { RecordSchemas } from '../../publishing/schemas/published-schemas.js';

/** The JSON Schemas of the records. */
export const recordSchemas: RecordSchemas = {
  projects: projectSchema,
  datasets: datasetSchema,
  contracts: contractSchema,
  partners: partnerSchema,
  cohorts: cohortSchema,
};
