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

/** Returns the schema of a kind of record. */
export const schemaOf = (list: RecordList): MemberSchema => recordSchemas[schemaNames[list]];

/** Returns the right that a user needs to write a kind of record. */
export const writeRightOf = (list: RecordList): Right => (list === 'contracts' ? 'contracts.write' : 'catalog.write');
