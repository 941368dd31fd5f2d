import type { EntityManager } from 'typeorm';
import { permissionsOf } from '../../../access/permissions/permissions.repository.js';
import type { DaisyDatabase } from './daisy-database.js';
import { catalogLists, daisyLists, daisyPermissions, type ServedList } from './served-lists.js';

/** The comparison of the lists that both systems send to each endpoint and each user, and of each person's permissions. */
export interface ListComparison {
  /** The number of compared lists. */
  readonly compared: number;
  /** One line for each record that only one system sends. */
  readonly differences: readonly string[];
}

/** The rules of the systems that explain a difference, by list. */
const reasons = {
  datasets: {
    daisy: 'DAISY sends it and the catalog does not',
    catalog: 'DAISY omits it, because a transfer has no partner or a use condition has an unknown class',
  },
  projects: {
    daisy: 'DAISY sends it and the catalog does not',
    catalog: 'the catalog sends it and DAISY does not',
  },
  contracts: {
    daisy: 'the catalog sends an endpoint only the contracts of projects that are exposed to the endpoint',
    catalog: 'the catalog sends it and DAISY does not',
  },
} as const;

/** Compares the lists of both systems. */
export async function compareLists(daisy: DaisyDatabase, manager: EntityManager): Promise<ListComparison> {
  const expected = await daisy.all<ServedList>(daisyLists);
  const served = await manager.query<ServedList[]>(catalogLists);
  const byName = new Map(served.map((list) => [nameOf(list), list]));
  const differences: string[] = [];
  for (const list of expected) {
    differences.push(...(await differencesOf(manager, list, byName.get(nameOf(list)))));
  }
  const people = await daisy.all<{ subject: string; datasets: string[] }>(daisyPermissions);
  for (const { subject, datasets } of people) {
    const [held] = await manager.query<[{ datasets: string[] }]>(permissionsOf, [subject, null]);
    const only = onlyIn(datasets, held.datasets).map((name) => `${name} only in DAISY`);
    const more = onlyIn(held.datasets, datasets).map((name) => `${name} only in the catalog`);
    differences.push(...[...only, ...more].map((line) => `permissions of ${subject}: ${line}`));
  }
  return { compared: expected.length + people.length, differences };
}

function nameOf({ caller, list }: ServedList): string {
  return `${list} of ${caller}`;
}

async function differencesOf(
  manager: EntityManager,
  expected: ServedList,
  served: ServedList | undefined,
): Promise<string[]> {
  const name = nameOf(expected);
  if (served === undefined) return [`${name}: the caller is not in the catalog`];
  if (expected.everything !== served.everything) {
    return [`${name}: ${expected.everything ? 'DAISY' : 'the catalog'} sends every record`];
  }
  if (expected.everything) return [];
  const missing = onlyIn(expected.ids, served.ids);
  const added = onlyIn(served.ids, expected.ids);
  const names = await namesOf(manager, expected.list, [...missing, ...added]);
  const { daisy, catalog } = reasons[expected.list];
  return [
    ...missing.map((id) => `${name}: ${names.get(id) ?? String(id)} only in DAISY: ${daisy}`),
    ...added.map((id) => `${name}: ${names.get(id) ?? String(id)} only in the catalog: ${catalog}`),
  ];
}

/** Returns the accessions of records by id. Contracts have none. */
async function namesOf(
  manager: EntityManager,
  list: ServedList['list'],
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (list === 'contracts' || ids.length === 0) return new Map();
  const rows = await manager.query<{ id: number; external_id: string }[]>(
    `SELECT id, external_id FROM ${list} WHERE id = ANY ($1) AND external_id IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, external_id }) => [id, external_id]));
}

function onlyIn<T>(some: readonly T[], others: readonly T[]): T[] {
  const known = new Set(others);
  return some.filter((each) => !known.has(each));
}
