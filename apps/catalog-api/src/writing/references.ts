import type { EntityManager } from 'typeorm';
import type { FieldProblem } from '@rdc/errors';

/** Kinds of record that documents name. */
export type ReferredKind = 'partners' | 'cohorts' | 'projects' | 'platforms';

/** Another record as a document names it. */
export interface Reference {
  readonly to: ReferredKind;
  /** Where the name stands, to tell when nobody has it. */
  readonly field: string;
  /** Its name, acronym or accession. */
  readonly name?: string | null;
  /** Its accession; wins over the name. */
  readonly externalId?: string | null;
  /** Its `id_at_source`; wins over both. */
  readonly id?: number;
}

interface Found {
  readonly key: string;
  readonly id: number;
  readonly rank: number;
}

/** What each kind is called. */
const referredWords: Readonly<Record<ReferredKind, string>> = {
  partners: 'partner',
  cohorts: 'cohort',
  projects: 'project',
  platforms: 'platform',
};

/** How each kind is found by a name, best first and each by an index: `wanted` has `id`, `external_id` and `name`. */
const finders: Readonly<Record<ReferredKind, readonly string[]>> = {
  partners: [
    'id = wanted.id',
    'external_id = wanted.external_id',
    'name = wanted.name',
    'external_id = wanted.name',
    'acronym = wanted.name',
  ],
  cohorts: ['id = wanted.id', 'external_id = wanted.external_id', 'name = wanted.name', 'external_id = wanted.name'],
  projects: [
    'id = wanted.id',
    'external_id = wanted.external_id',
    'acronym = wanted.name',
    'external_id = wanted.name',
    'lower(name) = lower(wanted.name) AND name = wanted.name',
  ],
  platforms: ['id = wanted.id', 'false', 'name = wanted.name'],
};

/** Finds the records that documents name, all of a kind by one statement. */
export class References {
  private readonly found = new Map<string, Found[]>();

  /** Looks up what was not looked up yet. */
  async load(manager: EntityManager, references: readonly Reference[]): Promise<void> {
    const unknown = references.filter((each) => this.idOf(each) === undefined);
    for (const kind of Object.keys(finders) as ReferredKind[]) {
      const wanted = unknown.filter(({ to }) => to === kind);
      if (wanted.length > 0) await this.loadKind(manager, kind, wanted);
    }
  }

  /** The id of a record that was looked up; undefined when there is none, or more than one. */
  idOf(reference: Reference): number | undefined {
    const [best, other] = this.found.get(keyOf(reference)) ?? [];
    return best && best.rank !== other?.rank ? best.id : undefined;
  }

  /** The same, of a record that is known to be there. */
  need(reference: Omit<Reference, 'field'>): number {
    const id = this.idOf({ ...reference, field: '' });
    if (id === undefined) throw new Error(`${reference.to} ${String(reference.name)} was not looked up`);
    return id;
  }

  /** Whether nobody has the name. */
  isMissing(reference: Reference): boolean {
    return (this.found.get(keyOf(reference)) ?? []).length === 0;
  }

  /** What is wrong with a name; undefined when nothing is. */
  problemOf(reference: Reference): FieldProblem | undefined {
    if (this.idOf(reference) !== undefined) return undefined;
    const { field, to } = reference;
    if (reference.id === undefined && !reference.externalId && !reference.name) {
      return { field, problem: `must name a ${referredWords[to]}` };
    }
    const name = JSON.stringify(reference.id ?? reference.externalId ?? reference.name);
    const several = (this.found.get(keyOf(reference)) ?? []).length > 1;
    return {
      field,
      problem: several
        ? `names ${name}, which several ${to} have; use the external_id`
        : `names the ${referredWords[to]} ${name}, which does not exist; make it first, or add ?create_missing=true`,
    };
  }

  private async loadKind(manager: EntityManager, kind: ReferredKind, wanted: readonly Reference[]): Promise<void> {
    const rows = wanted.map(({ id, externalId, name, ...rest }) => ({
      key: keyOf({ id, externalId, name, ...rest }),
      id: id ?? null,
      external_id: id === undefined ? externalId : null,
      name: id === undefined && !externalId ? name : null,
    }));
    const branches = finders[kind].map(
      (condition, rank) => `SELECT id, ${String(rank)} AS rank FROM ${kind} WHERE ${condition}`,
    );
    const found = await manager.query<Found[]>(
      `SELECT DISTINCT wanted.key, match.id, match.rank
         FROM jsonb_to_recordset($1::jsonb) AS wanted (key text, id integer, external_id text, name text)
        CROSS JOIN LATERAL (${branches.join(' UNION ALL ')}) AS match
        ORDER BY wanted.key, match.rank, match.id`,
      [JSON.stringify(rows)],
    );
    for (const { key } of rows) this.found.delete(key);
    for (const match of found) this.found.set(match.key, [...(this.found.get(match.key) ?? []), match]);
  }
}

function keyOf({ to, id, externalId, name }: Reference): string {
  return JSON.stringify(id !== undefined ? [to, id] : externalId ? [to, 'external', externalId] : [to, 'name', name]);
}
