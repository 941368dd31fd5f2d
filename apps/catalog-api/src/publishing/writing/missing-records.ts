import { Injectable } from '@nestjs/common';
import { AccessDeniedError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import { maxNameLength } from '../../platform/database/lengths.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { CatalogTransaction } from '../documents/catalog-writer.js';
import { Accessions } from './accessions.js';
import type { Reference, ReferredKind, References } from './references.js';
import { insertRows, reserveIds } from './rows.js';
import type { WriteOptions } from './write-item.js';
import type { WriteProblems } from './write-problems.js';

/** A reference, and the index of its document in the request. */
type NamedReference = Reference & { readonly index: number };

/** The column that stores the name. */
const nameColumns: Readonly<Record<ReferredKind, string>> = {
  partners: 'name',
  cohorts: 'name',
  projects: 'acronym',
  platforms: 'name',
};

/** The maximum length of an acronym of a project. */
const maxAcronym = 200;

/** Creates the records to which documents refer and that do not exist. */
@Injectable()
export class MissingRecords {
  constructor(
    private readonly accessions: Accessions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates the missing records and resolves their references. A reference without a valid name, or with an accession of
   * another kind of record, stays unresolved.
   *
   * @throws AccessDeniedError if the writer may not create a required kind
   */
  async create(
    transaction: CatalogTransaction,
    named: readonly NamedReference[],
    references: References,
    { actor, rights: { creatable }, problems }: Pick<WriteOptions, 'actor' | 'rights' | 'problems'>,
  ): Promise<void> {
    const wanted = named.filter((each) => references.isMissing(each) && isCreatable(each));
    const missing = await withoutAccessionsOfOthers(transaction.manager, wanted, problems);
    const refused = missing.find(({ to }) => !creatable.includes(to));
    if (refused) throw creationDenied(refused);
    for (const kind of Object.keys(nameColumns) as ReferredKind[]) {
      const rows = new Map(missing.filter(({ to }) => to === kind).map((each) => [each.name, each.externalId ?? null]));
      if (rows.size > 0) await this.insert(transaction, kind, [...rows] as [string, string | null][], actor);
    }
    await references.load(transaction.manager, missing);
  }

  private async insert(
    { manager, touch }: CatalogTransaction,
    kind: ReferredKind,
    names: readonly (readonly [name: string, externalId: string | null])[],
    actor: string,
  ): Promise<void> {
    const ids = await reserveIds(manager, kind, names.length);
    const without = kind === 'projects' ? names.filter(([, externalId]) => externalId === null) : [];
    await this.accessions.reserveUpTo(
      manager,
      names.flatMap(([, externalId]) => externalId ?? []),
    );
    const accessions = await this.accessions.reserve(manager, without.length);
    const rows = names.map(([name, externalId], index) => ({
      id: ids[index],
      [nameColumns[kind]]: name,
      ...(kind === 'projects' && { name }),
      ...(kind !== 'platforms' && { external_id: externalId ?? (kind === 'projects' ? accessions.shift() : null) }),
    }));
    await insertRows(manager, kind, rows);
    touch({ [kind]: ids });
    const writes = rows.map((after) => ({ actor, action: 'create', resource: kind, recordId: after.id ?? 0, after }));
    await this.audit.record(manager, ...writes);
  }
}

/** Returns the references whose accession was given to no other kind of record, and adds a problem for the others. */
async function withoutAccessionsOfOthers(
  manager: EntityManager,
  references: readonly NamedReference[],
  problems: WriteProblems,
): Promise<NamedReference[]> {
  const accessions = references.flatMap(({ externalId }) => externalId ?? []);
  if (accessions.length === 0) return [...references];
  const rows = await manager.query<{ accession: string; list: string }[]>(
    'SELECT accession, list FROM accessions WHERE accession = ANY ($1)',
    [accessions],
  );
  const holders = new Map(rows.map(({ accession, list }) => [accession, list]));
  return references.filter(({ index, field, externalId, to }) => {
    const holder = holders.get(externalId ?? '') ?? to;
    if (holder === to) return true;
    const problem = `names the accession ${JSON.stringify(externalId)}, which was given to one of the ${holder}`;
    problems.add(index, { field, problem });
    return false;
  });
}

/** Returns an error that does not reveal whether the record is absent or hidden. */
function creationDenied({ to, field }: Reference): AccessDeniedError {
  return new AccessDeniedError(
    `${field} names a record that is not among the ${to}, and this caller may not create ${to}: nothing was written. ` +
      'Omit create_missing, or send the document with a key that may create them.',
  );
}

function isCreatable({ to, id, name }: Reference): boolean {
  return (
    id === undefined && !!name && name.trim() !== '' && name.length <= (to === 'projects' ? maxAcronym : maxNameLength)
  );
}
