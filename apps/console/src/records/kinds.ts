import type { Right } from '../session/roles.ts';
import type { RecordList } from './record-lists.ts';
import { type MemberSchema, recordSchemas } from './schema.ts';

const schemaNames = {
  projects: 'project',
  datasets: 'dataset',
  contracts: 'contract',
  partners: 'partner',
  cohorts: 'cohort',
} as const satisfies Record<RecordList, keyof typeof recordSchemas>;

/** What a record of a list looks like. */
export const schemaOf = (list: RecordList): MemberSchema => recordSchemas[schemaNames[list]];

/** What somebody must be allowed to do in order to write records of a list. */
export const writeRightOf = (list: RecordList): Right => (list === 'contracts' ? 'contracts.write' : 'catalog.write');
