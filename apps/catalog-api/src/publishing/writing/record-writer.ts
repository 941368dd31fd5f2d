import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isDeepStrictEqual } from 'node:util';
import { AuditTrail } from '../audit/audit-trail.js';
import type { CatalogTransaction } from '../documents/catalog-writer.js';
import { StoredDocuments, type RecordImage } from '../documents/stored-documents.js';
import { Accessions } from './accessions.js';
import { MissingRecords } from './missing-records.js';
import { refuseChangedIdentity, refuseAssignedIdentity, refuseTakenNames, withIdentity } from './names.js';
import { bodyOf } from './read-document.js';
import type { RecordBody, RecordKind, WrittenRecord } from './record-kind.js';
import { keyOf, References, type Reference } from './references.js';
import { findFreeIds, insertRows, reserveIds, updateRecords } from './rows.js';
import type { WriteItem, WriteOptions } from './write-item.js';
import type { WriteProblems } from './write-problems.js';

/** The result of writing a document. */
export interface WriteOutcome {
  readonly index: number;
  readonly id: number;
  readonly change: 'created' | 'updated' | 'unchanged';
}

/**
 * Writes documents of one kind. The number of statements does not depend on the number of documents. A document that
 * equals the current record changes nothing.
 */
@Injectable()
export class RecordWriter {
  constructor(
    private readonly documents: StoredDocuments,
    private readonly audit: AuditTrail,
    private readonly accessions: Accessions,
    private readonly missing: MissingRecords,
  ) {}

  /** Writes documents, or none of them if there are problems. The caller holds the writing lock. */
  async write<Body extends RecordBody>(
    transaction: CatalogTransaction,
    kind: RecordKind<Body>,
    given: readonly WriteItem<Body>[],
    options: WriteOptions,
  ): Promise<WriteOutcome[]> {
    const { manager } = transaction;
    const images = await this.imagesOf(
      manager,
      kind,
      given.flatMap(({ id }) => id ?? []),
    );
    const items = await ownParts(
      manager,
      kind,
      given.map((item) => completed(kind, item, images, options.problems)),
    );
    if (options.rights.isLimited) refuseAssignedIdentity(kind, items, options.problems);
    await refuseTakenNames(manager, kind, items, options);
    const changed = items.filter(({ body, before }) => !isDeepStrictEqual(body, before));
    const references = await this.referencesOf(transaction, kind, changed, options);
    if (options.problems.any) return [];
    const records = await this.identified(manager, kind, changed, options);
    await writeRows(transaction, kind, records, references);
    await this.auditChange(manager, kind, records, { images, actor: options.actor });
    const written = new Map(records.map(({ index, id }) => [index, id]));
    return items.map(({ index, id }) => {
      const change = !written.has(index) ? 'unchanged' : id === null ? 'created' : 'updated';
      return { index, id: written.get(index) ?? id ?? 0, change };
    });
  }

  /** Returns the image of one record. */
  async imageOf(manager: EntityManager, kind: Pick<RecordKind, 'list'>, id: number): Promise<RecordImage | undefined> {
    return (await this.imagesOf(manager, kind, [id])).get(id);
  }

  private imagesOf(
    manager: EntityManager,
    { list }: Pick<RecordKind, 'list'>,
    ids: readonly number[],
  ): Promise<Images> {
    return this.documents.imagesOf(manager, list, ids);
  }

  /** Resolves references, creates missing records if requested, and adds a problem for each unresolved reference. */
  private async referencesOf<Body extends RecordBody>(
    transaction: CatalogTransaction,
    kind: RecordKind<Body>,
    items: readonly CompletedItem<Body>[],
    options: WriteOptions,
  ): Promise<References> {
    const { rights, problems } = options;
    const references = new References(rights.nameable);
    const kept = new Map(items.map((item) => [item.index, keptNames(kind, item)]));
    const named = items.flatMap(({ index, body }) => kind.references(body).map((each) => ({ index, ...each })));
    await references.load(transaction.manager, named, new Set([...kept.values()].flatMap((keys) => [...keys])));
    if (options.createMissing) await this.missing.create(transaction, named, references, options);
    for (const { index, ...reference } of named) {
      const problem = references.problemOf(reference, kept.get(index)?.has(keyOf(reference)));
      if (problem) problems.add(index, problem);
    }
    if (rights.isLimited) requireProject(items, named, problems);
    return references;
  }

  /**
   * Assigns ids to new records, and accessions if the kind has accessions on creation. An imported record keeps its id if
   * the id is free, and with the id its source. Otherwise both are ours, so that the pair never names another record.
   */
  private async identified<Body extends RecordBody>(
    manager: EntityManager,
    kind: RecordKind<Body>,
    items: readonly CompletedItem<Body>[],
    { rights }: Pick<WriteOptions, 'rights'>,
  ): Promise<(WrittenRecord<Body> & { source: string | null; isNew: boolean })[]> {
    const fresh = items.filter(({ id }) => id === null);
    // A writer that is limited to projects must not learn which ids hidden records have.
    const kept = await findFreeIds(manager, kind.list, rights.isLimited ? [] : fresh);
    const ids = await reserveIds(manager, kind.list, fresh.length - kept.size, [...kept.values()]);
    const given = items.flatMap(({ body }) => body.external_id ?? []);
    await this.accessions.reserveUpTo(manager, given);
    const bare = kind.accession === 'on creation' ? fresh.filter(({ body }) => body.external_id === null) : [];
    const accessions = await this.accessions.reserve(manager, bare.length);
    return items.map((item) => ({
      index: item.index,
      id: item.id ?? kept.get(item.index) ?? ids.shift() ?? 0,
      isNew: item.id === null,
      body: bare.includes(item) ? { ...item.body, external_id: accessions.shift() ?? null } : item.body,
      before: item.before,
      source: kept.has(item.index) ? (item.source ?? null) : null,
    }));
  }

  private async auditChange<Body extends RecordBody>(
    manager: EntityManager,
    kind: RecordKind<Body>,
    records: readonly WrittenRecord<Body>[],
    { images, actor }: { images: Images; actor: string },
  ): Promise<void> {
    const after = await this.imagesOf(
      manager,
      kind,
      records.map(({ id }) => id),
    );
    const writes = records.map(({ id, before }) => ({
      actor,
      action: before === null ? 'create' : 'update',
      resource: kind.list,
      recordId: id,
      before: images.get(id),
      after: after.get(id),
    }));
    await this.audit.record(manager, ...writes);
  }
}

type Images = ReadonlyMap<number, RecordImage>;

interface CompletedItem<Body extends RecordBody> extends WriteItem<Body> {
  readonly before: Body | null;
}

/** Returns a document with its kept identity, and the previous document of its record. */
function completed<Body extends RecordBody>(
  kind: RecordKind<Body>,
  item: WriteItem<Body>,
  images: Images,
  problems: WriteProblems,
): CompletedItem<Body> {
  const image = item.id === null ? undefined : images.get(item.id);
  if (!image) return { ...item, before: null };
  const before = bodyOf(kind, image);
  const body = withIdentity(kind, item.body, before);
  refuseChangedIdentity(kind, { ...item, body }, before, problems);
  return { ...item, body, before };
}

/** Returns the keys of the references that a record had before the write. */
function keptNames<Body extends RecordBody>(
  kind: RecordKind<Body>,
  { before }: CompletedItem<Body>,
): ReadonlySet<string> {
  return new Set(before === null ? [] : kind.references(before).map(keyOf));
}

/**
 * Adds a problem for each document without a project. A writer that is limited to projects could not read such a
 * record.
 */
function requireProject(
  items: readonly { readonly index: number }[],
  named: readonly (Reference & { readonly index: number })[],
  problems: WriteProblems,
): void {
  const withProject = new Set(named.filter(({ to }) => to === 'projects').map(({ index }) => index));
  for (const { index } of items) {
    if (!withProject.has(index)) problems.add(index, { field: 'project', problem: 'must name a project of the key' });
  }
}

async function ownParts<Body extends RecordBody>(
  manager: EntityManager,
  kind: RecordKind<Body>,
  items: readonly CompletedItem<Body>[],
): Promise<readonly CompletedItem<Body>[]> {
  const parts = await kind.ownPart?.(manager, items);
  return parts ? items.map((item, index) => ({ ...item, ...parts[index] })) : items;
}

async function writeRows<Body extends RecordBody>(
  transaction: CatalogTransaction,
  kind: RecordKind<Body>,
  records: readonly (WrittenRecord<Body> & { source: string | null; isNew: boolean })[],
  references: References,
): Promise<void> {
  const { manager, touch } = transaction;
  const rowOf = ({ id, body }: WrittenRecord<Body>): { id: number } => ({ id, ...kind.row(body, references) });
  const created = records.filter(({ isNew }) => isNew);
  await insertRows(
    manager,
    kind.list,
    created.map((record) => ({ ...rowOf(record), source: record.source })),
  );
  await updateRecords(manager, kind.list, records.filter(({ isNew }) => !isNew).map(rowOf));
  await kind.writeParts?.({ ...transaction, records, references });
  touch({ [kind.list]: records.map(({ id }) => id) });
}
