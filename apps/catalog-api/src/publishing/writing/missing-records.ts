import { Injectable } from '@nestjs/common';
import { AccessDeniedError } from '@rdc/errors';
import { AuditTrail } from '../audit/audit-trail.js';
import type { CatalogTransaction } from '../documents/catalog-writer.js';
import { Accessions } from './accessions.js';
import type { Reference, ReferredKind, References } from './references.js';
import { insertRows, reserveIds } from './rows.js';
import type { WriteOptions } from './write-item.js';

/** The column that a name becomes. */
const nameColumns: Readonly<Record<ReferredKind, string>> = {
  partners: 'name',
  cohorts: 'name',
  projects: 'acronym',
  platforms: 'name',
};

/** Characters a name has at most, by the column it becomes. */
const maxName: Readonly<Record<ReferredKind, number>> = { partners: 500, cohorts: 500, projects: 200, platforms: 200 };

/** Makes the records that documents name and that do not exist, if the writer requested it and may make them. */
@Injectable()
export class MissingRecords {
  constructor(
    private readonly accessions: Accessions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Makes them, each once, and finds them. A reference without a name cannot be made and stays unknown.
   *
   * @throws AccessDeniedError if the writer may not make a kind that is needed
   */
  async create(
    transaction: CatalogTransaction,
    named: readonly Reference[],
    references: References,
    { actor, rights: { creatable } }: Pick<WriteOptions, 'actor' | 'rights'>,
  ): Promise<void> {
    const missing = named.filter((each) => references.isMissing(each) && isMakeable(each));
    const refused = missing.find(({ to }) => !creatable.includes(to));
    if (refused) throw mayNotMake(refused);
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
    await this.accessions.movePast(
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

/** Names the kind and the field only: whether the record is absent or hidden stays untold. */
function mayNotMake({ to, field }: Reference): AccessDeniedError {
  return new AccessDeniedError(
    `${field} names a record that is not among the ${to}, and this caller may not make ${to}: nothing was written. ` +
      'Leave create_missing out, or ask a caller who may make them.',
  );
}

function isMakeable({ to, id, name }: Reference): boolean {
  return id === undefined && !!name && name.trim() !== '' && name.length <= maxName[to];
}
