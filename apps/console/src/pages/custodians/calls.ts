import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';

type Schemas = components['schemas'];

/** The lists of records that have custodians. */
export type KeptList = 'projects' | 'datasets' | 'contracts';

/** The custodians and personnel of a record. */
export type Custodians = Schemas['CustodiansResponse'];

/** A custodian, or a member of the personnel. */
export type RecordUser = Schemas['RecordUser'];

/** Returns the path of a record's custodians. The type is the path of a project, whose request has the most members. */
const pathOf = (list: KeptList): '/api/admin/projects/{id}/custodians' =>
  `/api/admin/${list}/{id}/custodians` as '/api/admin/projects/{id}/custodians';

export function getCustodians(list: KeptList, id: string, signal: AbortSignal): Promise<Custodians> {
  return bodyOf(catalog.GET(pathOf(list), { params: { path: { id } }, signal }));
}

export const idsOf = (users: readonly RecordUser[]): number[] => users.map(({ id }) => id);

/** Replaces the users of a record. Only projects have personnel; an absent member stays unchanged. */
export function setCustodians(list: KeptList, id: string, body: Schemas['SetProjectCustodians']): Promise<Custodians> {
  return bodyOf(catalog.PUT(pathOf(list), { params: { path: { id } }, body }));
}
