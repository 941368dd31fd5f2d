import { cohortKind } from '../cohorts/cohort.kind.js';
import { contractKind } from '../contracts/contract.kind.js';
import { datasetKind } from '../datasets/dataset.kind.js';
import { partnerKind } from '../partners/partner.kind.js';
import { projectKind } from '../projects/project.kind.js';
import type { RecordKind } from '../writing/record-kind.js';

/** Every kind of record that can be imported, in an order in which none names a later one. */
export const recordKinds = [partnerKind, cohortKind, projectKind, datasetKind, contractKind] as const;

/** A kind by its plural. */
export function kindNamed(list: string): RecordKind | undefined {
  return (recordKinds as readonly unknown[] as readonly RecordKind[]).find((kind) => kind.list === list);
}
