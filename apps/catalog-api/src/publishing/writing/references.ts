import type { EntityManager } from 'typeorm';
import type { FieldProblem } from '@rdc/errors';
import { sql, fixedSql, type Sql } from '../../platform/database/sql.js';

/** A kind of record to which documents refer. */
export type ReferredKind = 'partners' | 'cohorts' | 'projects' | 'platforms';

/** A reference of a document to another record. */
export interface Reference {
  readonly to: ReferredKind;
  /** The field of the document that contains the reference, for messages. */
  readonly field: string;
  /** The name, acronym or accession of the record. */
  readonly name?: string | null;
  /** The accession of the record; takes precedence over the name. */
  readonly externalId?: string | null;
  /** The `id_at_source` of the record; takes precedence over name and accession. */
  readonly id?: number;
}

interface Match {
  readonly key: string;
  readonly id: number;
  readonly rank: number;
}

/** The singular of each kind. */
const referredWords: Readonly<Record<ReferredKind, string>> = {
  partners: 'partner',
  cohorts: 'cohort',
  projects: 'project',
  platforms: 'platform',
};

/** The conditions that find a record of each kind, best match first. Each condition uses an index. */
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
    'name_order(name) = name_order(wanted.name) AND name = wanted.name',
  ],
  platforms: ['id = wanted.id', 'false', 'name = wanted.name'],
};

/** The tables to which conditions of visibility apply. */
const visibleRows: Readonly<Record<ReferredKind, string>> = {
  partners: 'partner_documents',
  cohorts: 'cohort_documents',
  projects: 'project_documents',
  platforms: 'platforms',
};

/** Returns the lookup key of a reference. References with the same key refer to the same record. */
export function keyOf({ to, id, externalId, name }: Reference): string {
  return JSON.stringify(id !== undefined ? [to, id] : externalId ? [to, 'external', externalId] : [to, 'name', name]);
}

/** Resolves the references of documents, by one statement per kind. */
export class References {
  private readonly found = new Map<string, Match[]>();
  /** Keys of existing records that the writer may not name. */
  private readonly withheld = new Set<string>();

  /** @param nameable the conditions that records must meet, by kind */
  constructor(private readonly nameable: Readonly<Partial<Record<ReferredKind, Sql>>> = {}) {}

  /**
   * Resolves the references that are unresolved.
   *
   * @param kept keys of references that the records already have. They stay valid even if the writer may not name them.
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

  /** Returns the id of a resolved reference, or undefined if no record or several records match. */
  idOf(reference: Reference): number | undefined {
    const [best, other] = this.found.get(keyOf(reference)) ?? [];
    return best && best.rank !== other?.rank ? best.id : undefined;
  }

  /** Returns the id of a reference that is known to be resolved. */
  resolveId(reference: Omit<Reference, 'field'>): number {
    const id = this.idOf({ ...reference, field: '' });
    if (id === undefined) throw new Error(`${reference.to} ${String(reference.name)} is unresolved`);
    return id;
  }

  /** Returns whether no record matches a reference. */
  isMissing(reference: Reference): boolean {
    return (this.found.get(keyOf(reference)) ?? []).length === 0;
  }

  /**
   * Returns the problem of a reference, or undefined if it is valid.
   *
   * @param isKept whether the record already has the reference. It is then valid even if the writer may not name it.
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
        ? `names ${name}, which several ${to} have: use the external_id`
        : `names the ${referredWords[to]} ${name}, which does not exist: create the ${referredWords[to]} first, or add ?create_missing=true`,
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
    const found = await manager.query<Match[]>(
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

  /** Returns the ids of the matches that the writer may not name. */
  private async hiddenAmong(
    manager: EntityManager,
    kind: ReferredKind,
    found: readonly Match[],
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
