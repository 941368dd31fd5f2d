import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';

type Schemas = components['schemas'];

/** The kinds of record that somebody answers for. */
export type KeptList = 'projects' | 'datasets' | 'contracts';

/** The users of a record. */
export type Custodians = Schemas['CustodiansResponse'];

/** One of them. */
export type RecordUser = Schemas['RecordUser'];

/** The three kinds are asked for in the same way: the compiler is shown the one that has the most. */
const pathOf = (list: KeptList): '/api/admin/projects/{id}/custodians' =>
  `/api/admin/${list}/{id}/custodians` as '/api/admin/projects/{id}/custodians';

export function getCustodians(list: KeptList, id: string, signal: AbortSignal): Promise<Custodians> {
  return bodyOf(catalog.GET(pathOf(list), { params: { path: { id } }, signal }));
}

export const idsOf = (users: readonly RecordUser[]): number[] => users.map(({ id }) => id);

/** Makes exactly these users stand at a record; personnel only of projects, as they were when left out. */
export function setCustodians(list: KeptList, id: string, body: Schemas['SetProjectCustodians']): Promise<Custodians> {
  return bodyOf(catalog.PUT(pathOf(list), { params: { path: { id } }, body }));
}
