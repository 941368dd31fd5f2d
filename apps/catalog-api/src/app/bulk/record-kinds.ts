import { cohortKind } from '../../records/cohorts/cohort.kind.js';
import { contractKind } from '../../records/contracts/contract.kind.js';
import { datasetKind } from '../../records/datasets/dataset.kind.js';
import { partnerKind } from '../../records/partners/partner.kind.js';
import { projectKind } from '../../records/projects/project.kind.js';
import type { RecordKind } from '../../publishing/writing/record-kind.js';

/** Every kind of record that can be imported, in an order in which none names a later one. */
export const recordKinds = [partnerKind, cohortKind, projectKind, datasetKind, contractKind] as const;

/** A kind by its plural. */
export function findKind(list: string): RecordKind | undefined {
  return (recordKinds as readonly unknown[] as readonly RecordKind[]).find((kind) => kind.list === list);
}
