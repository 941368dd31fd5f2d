import { Injectable } from '@nestjs/common';
import { AccessDeniedError } from '@rdc/errors';
import { AuditTrail } from '../audit/audit-trail.js';
import type { CatalogTransaction } from '../documents/catalog-writer.js';
import { Accessions } from './accessions.js';
import type { Reference, ReferredKind, References } from './references.js';
import { insertRows, reserveIds } from './rows.js';
import type { WriteOptions } from './write-item.js';

/** The column that stores the name. */
const nameColumns: Readonly<Record<ReferredKind, string>> = {
  partners: 'name',
  cohorts: 'name',
  projects: 'acronym',
  platforms: 'name',
};

/** The maximum length of a name, by kind. */
const maxName: Readonly<Record<ReferredKind, number>> = { partners: 500, cohorts: 500, projects: 200, platforms: 200 };

/** Creates the records to which documents refer and that do not exist. */
@Injectable()
export class MissingRecords {
  constructor(
    private readonly accessions: Accessions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates the missing records and resolves their references. A reference without a valid name stays unresolved.
   *
   * @throws AccessDeniedError if the writer may not create a required kind
   */
  async create(
    transaction: CatalogTransaction,
    named: readonly Reference[],
    references: References,
    { actor, rights: { creatable } }: Pick<WriteOptions, 'actor' | 'rights'>,
  ): Promise<void> {
    const missing = named.filter((each) => references.isMissing(each) && isCreatable(each));
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

/** Returns an error that does not reveal whether the record is absent or hidden. */
function creationDenied({ to, field }: Reference): AccessDeniedError {
  return new AccessDeniedError(
    `${field} names a record that is not among the ${to}, and this caller may not create ${to}: nothing was written. ` +
      'Omit create_missing, or send the document with a key that may create them.',
  );
}

function isCreatable({ to, id, name }: Reference): boolean {
  return id === undefined && !!name && name.trim() !== '' && name.length <= maxName[to];
}
