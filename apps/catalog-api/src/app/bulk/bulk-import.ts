import { Injectable } from '@nestjs/common';
import { maxJsonValues, measureJson, TimeSlice } from '@rdc/http';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { tryParseJson } from '../../platform/json/json.js';
import { Accessions } from '../../publishing/writing/accessions.js';
import { readDocument } from '../../publishing/writing/read-document.js';
import type { RecordBody, RecordKind } from '../../publishing/writing/record-kind.js';
import { acquireWritingLock } from '../../publishing/writing/writing-lock.js';
import { RecordWriter, type WriteOutcome } from '../../publishing/writing/record-writer.js';
import type { WriteItem, WriteOptions } from '../../publishing/writing/write-item.js';
import { WriteProblems } from '../../publishing/writing/write-problems.js';
import type { WriterRights } from '../../publishing/writing/writer-rights.js';
import type { BulkReport } from './bulk.dto.js';
import { findRecords } from './find-records.js';

/** Options of a bulk import. */
export interface BulkOptions {
  /** The name of the importer in the audit trail. */
  readonly actor: string;
  /** The rights of the importer. */
  readonly rights: WriterRights;
  /** Whether to report the changes without making them. */
  readonly dryRun: boolean;
  /** Whether to create missing records to which documents refer. */
  readonly createMissing: boolean;
  /** The `source` of records of this catalog. An item with another `source` keeps it. */
  readonly ownSource: string | null;
  /** The time to wait for concurrent writes, in milliseconds; 0 means no limit. The limit of a request by default. */
  readonly lockTimeoutMs?: number;
}

/** The number of items that are written by the same statements. */
const batchSize = 250;

/** The number of characters at which a batch is full. The limit keeps each step on a batch short. */
const batchLength = 512 * 1024;

/** Updates the statistics. Autovacuum does not see uncommitted rows, and Postgres would plan for empty tables. */
const analyze = `ANALYZE ${[
  ...['partners', 'contacts', 'contact_affiliations', 'cohorts', 'cohort_contacts', 'cohort_institutes', 'projects'],
  ...[
    'project_contacts',
    'publications',
    'datasets',
    'data_declarations',
    'data_declaration_cohorts',
    'use_conditions',
  ],
  ...['legal_bases', 'legal_basis_declarations', 'storage_locations', 'transfers', 'contracts', 'partner_roles'],
  'partner_role_contacts',
].join(', ')}`;

type Work = (transaction: CatalogTransaction) => Promise<void>;

/** The error that rolls back the transaction of a dry run. */
class DryRunEnd extends Error {}

/** Writes any number of documents of one kind, all or none. Memory holds one batch at a time. */
@Injectable()
export class BulkImport {
  constructor(
    private readonly catalog: CatalogWriter,
    private readonly writer: RecordWriter,
    private readonly accessions: Accessions,
  ) {}

  /**
   * Imports items. If a record has the accession or the name of an item, the item replaces the record. Otherwise the
   * item becomes a new record.
   *
   * @param texts each item as JSON
   * @throws InvalidItemsError if any item is invalid, with the problems of all items
   */
  async run<Body extends RecordBody>(
    kind: RecordKind<Body>,
    texts: AsyncIterable<string>,
    options: BulkOptions,
  ): Promise<BulkReport> {
    const counts = { items: 0, created: 0, updated: 0, unchanged: 0 };
    let batches = 0;
    const work: Work = async (transaction) => {
      const problems = new WriteProblems();
      const writing: WriteOptions = { ...options, problems, usedNames: new Map() };
      for await (const batch of inBatches(texts)) {
        const outcomes = await this.writeBatch(
          transaction,
          kind,
          { first: counts.items, texts: batch },
          writing,
          options,
        );
        for (const { change } of outcomes) counts[change]++;
        counts.items += batch.length;
        if (isPowerOfFour(++batches)) await transaction.manager.query(analyze);
      }
      problems.refuseItems();
    };
    await (options.dryRun ? this.rehearse(work, options) : this.write(work, options));
    return { dry_run: options.dryRun, ...counts };
  }

  private async writeBatch<Body extends RecordBody>(
    transaction: CatalogTransaction,
    kind: RecordKind<Body>,
    { first, texts }: { readonly first: number; readonly texts: readonly string[] },
    writing: WriteOptions,
    { ownSource }: BulkOptions,
  ): Promise<WriteOutcome[]> {
    const items: WriteItem<Body>[] = [];
    const slice = new TimeSlice();
    for (const [position, text] of texts.entries()) {
      const index = first + position;
      const { excess } = text.length > maxJsonValues ? await measureJson(Buffer.from(text)) : { excess: null };
      const document = excess === null ? tryParseJson(text) : undefined; // text that is not JSON is refused like a value that is not an object
      if (slice.isSpent) await slice.next();
      const read =
        excess === null ? await readDocument(kind, document) : { problems: [{ field: '', problem: excess }] };
      if ('body' in read) items.push({ index, body: read.body, id: null, ...originOf(document, ownSource) });
      else for (const problem of read.problems) writing.problems.add(index, problem);
      writing.problems.refuseTooMany();
      if (slice.isSpent) await slice.next();
    }
    const ids = await findRecords(transaction.manager, kind, items);
    const found = items.map((item) => ({ ...item, id: ids.get(item.index) ?? null }));
    return this.writer.write(transaction, kind, found, writing);
  }

  private write(work: Work, { lockTimeoutMs }: BulkOptions): Promise<void> {
    return this.catalog.write(async (transaction) => {
      await acquireWritingLock(transaction.manager, lockTimeoutMs);
      await work(transaction);
    });
  }

  /** Does the work and rolls it back, including the assigned accession numbers. */
  private async rehearse(work: Work, options: BulkOptions): Promise<void> {
    const rehearsal: Work = async (transaction) => {
      await this.accessions.restoreAfter(transaction.manager, () => work(transaction));
      throw new DryRunEnd();
    };
    await this.write(rehearsal, options).catch((error: unknown) => {
      if (!(error instanceof DryRunEnd)) throw error;
    });
  }
}

function isPowerOfFour(count: number): boolean {
  return Number.isInteger(Math.log2(count) / 2);
}

async function* inBatches(texts: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for await (const text of texts) {
    batch.push(text);
    length += text.length;
    if (batch.length < batchSize && length < batchLength) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Returns the source of a document, unless it is this catalog, and the id that the record has there. */
function originOf(document: unknown, ownSource: string | null): Pick<WriteItem<RecordBody>, 'source' | 'idAtSource'> {
  const { source, id_at_source, id = id_at_source } = document as Readonly<Record<string, unknown>>;
  const isForeign = typeof source === 'string' && source !== '' && source !== ownSource;
  const isId = (typeof id === 'string' || typeof id === 'number') && /^\d{1,10}$/.test(String(id));
  return { source: isForeign ? source : null, idAtSource: isId ? Number(id) : null };
}
