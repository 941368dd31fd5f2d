import type { EntityManager } from 'typeorm';
import type { FieldProblem } from '@rdc/errors';
import { sql, fixedSql, type Sql } from '../../platform/database/sql.js';

/** Kinds of record that documents name. */
export type ReferredKind = 'partners' | 'cohorts' | 'projects' | 'platforms';

/** Another record as a document names it. */
export interface Reference {
  readonly to: ReferredKind;
  /** The place of the name in the document, for the message when no record has it. */
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

/** The rows on which conditions of visibility are stated. */
const visibleRows: Readonly<Record<ReferredKind, string>> = {
  partners: 'partner_documents',
  cohorts: 'cohort_documents',
  projects: 'project_documents',
  platforms: 'platforms',
};

/** Returns the key by which a reference is looked up: two references with the same key name the same record. */
export function keyOf({ to, id, externalId, name }: Reference): string {
  return JSON.stringify(id !== undefined ? [to, id] : externalId ? [to, 'external', externalId] : [to, 'name', name]);
}

/** Finds the records that documents name, all of a kind by one statement. */
export class References {
  private readonly found = new Map<string, Found[]>();
  /** Keys under which a record was found that the writer may not name. */
  private readonly withheld = new Set<string>();

  /** @param nameable conditions that records must meet to be found at all, by kind */
  constructor(private readonly nameable: Readonly<Partial<Record<ReferredKind, Sql>>> = {}) {}

  /**
   * Looks up the references that were not looked up yet.
   *
   * @param kept keys of references that stand in the records already, which stay valid whether or not the writer could
   *   name them
   */
  async load(
    manager: EntityManager,
    references: readonly Reference[],
    kept: ReadonlySet<string> = new Set(),
  ): Promise<void> {
    const unknown = references.filter((each) => this.idOf(each) === undefined);
    for (const kind of Object.keys(finders) as ReferredKind[]) {
      const wanted = unknown.filter(({ to }) => to === kind);
      if (wanted.length > 0) await this.loadKind(manager, kind, wanted, kept);
    }
  }

  /** The id of a record that was looked up; undefined when there is none, or more than one. */
  idOf(reference: Reference): number | undefined {
    const [best, other] = this.found.get(keyOf(reference)) ?? [];
    return best && best.rank !== other?.rank ? best.id : undefined;
  }

  /** The same, of a record that is known to be there. */
  resolveId(reference: Omit<Reference, 'field'>): number {
    const id = this.idOf({ ...reference, field: '' });
    if (id === undefined) throw new Error(`${reference.to} ${String(reference.name)} was not looked up`);
    return id;
  }

  /** Whether no record has the name. */
  isMissing(reference: Reference): boolean {
    return (this.found.get(keyOf(reference)) ?? []).length === 0;
  }

  /**
   * Returns the problem of a name; undefined if it has none.
   *
   * @param isKept whether the record named it before: only then may it name a record that the writer may not
   */
  problemOf(reference: Reference, isKept = false): FieldProblem | undefined {
    const isWithheld = !isKept && this.withheld.has(keyOf(reference));
    if (!isWithheld && this.idOf(reference) !== undefined) return undefined;
    const { field, to } = reference;
    if (reference.id === undefined && !reference.externalId && !reference.name) {
      return { field, problem: `must name a ${referredWords[to]}` };
    }
    const name = JSON.stringify(reference.id ?? reference.externalId ?? reference.name);
    const several = !isWithheld && (this.found.get(keyOf(reference)) ?? []).length > 1;
    return {
      field,
      problem: several
        ? `names ${name}, which several ${to} have; use the external_id`
        : `names the ${referredWords[to]} ${name}, which does not exist; make it first, or add ?create_missing=true`,
    };
  }

  private async loadKind(
    manager: EntityManager,
    kind: ReferredKind,
    wanted: readonly Reference[],
    kept: ReadonlySet<string>,
  ): Promise<void> {
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
    const hidden = await this.hiddenAmong(manager, kind, found);
    for (const { key, id } of found) if (hidden.has(id) && kept.has(key)) this.withheld.add(key);
    const usable = found.filter(({ key, id }) => !hidden.has(id) || kept.has(key));
    for (const match of usable) this.found.set(match.key, [...(this.found.get(match.key) ?? []), match]);
  }

  /** Returns the ids among those found that the writer may not name. */
  private async hiddenAmong(
    manager: EntityManager,
    kind: ReferredKind,
    found: readonly Found[],
  ): Promise<ReadonlySet<number>> {
    const condition = this.nameable[kind];
    if (!condition || found.length === 0) return new Set();
    const { text, values } = sql`
      SELECT id FROM ${fixedSql(visibleRows[kind])} AS document
       WHERE id = ANY (${found.map(({ id }) => id)}::integer[]) AND (${condition})`.toQuery();
    const seen = new Set((await manager.query<{ id: number }[]>(text, values)).map(({ id }) => id));
    return new Set(found.flatMap(({ id }) => (seen.has(id) ? [] : [id])));
  }
}
