import { cohortSchema } from '../cohorts/cohort.schema.js';
import { contractSchema } from '../contracts/contract.schema.js';
import { datasetSchema } from '../datasets/dataset.schema.js';
import type { ListName } from '../documents/document.entity.js';
import { partnerSchema } from '../partners/partner.schema.js';
import { projectSchema } from '../projects/project.schema.js';
import type { JsonSchema } from './json-schema.js';

/** The schema of one record of each kind. */
export const recordSchemas: Readonly<Record<ListName, JsonSchema>> = {
  projects: projectSchema,
  datasets: datasetSchema,
  contracts: contractSchema,
  partners: partnerSchema,
  cohorts: cohortSchema,
};
