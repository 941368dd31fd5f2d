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
import { findRecords } from './find-records.js';

/** How items are to be imported. */
export interface BulkOptions {
  /** The name of the importer in the audit trail. */
  readonly actor: string;
  /** The rights of the importer. */
  readonly rights: WriterRights;
  /** Say what would change, and change nothing. */
  readonly dryRun: boolean;
  /** Make records that documents name and that do not exist. */
  readonly createMissing: boolean;
  /** The `source` of our own records; items with another keep theirs. */
  readonly ownSource: string | null;
  /** For how long to wait for other writes, in milliseconds; 0: as long as it takes. A request's patience by default. */
  readonly lockTimeoutMs?: number;
}

/** What an import did, or would do. */
export interface BulkReport {
  readonly dry_run: boolean;
  readonly items: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** Items that travel through the same statements. */
const batchSize = 250;

/** Characters from which on a batch takes no further item, so that each step on a batch is short. */
const batchLength = 512 * 1024;

/** Postgres plans by what it knows of its tables, and of rows that are not committed yet it learns only this way. */
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

/** Ends the transaction of a dry run. */
class DryRunEnd extends Error {}

/** Writes any number of documents of one kind, all or none, in the memory that a few hundred need. */
@Injectable()
export class BulkImport {
  constructor(
    private readonly catalog: CatalogWriter,
    private readonly writer: RecordWriter,
    private readonly accessions: Accessions,
  ) {}

  /**
   * Imports items: one whose accession, or name, a record has replaces it, another makes one.
   *
   * @param texts each item as JSON
   * @throws InvalidItemsError with everything that is wrong with any of them
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
      const document = excess === null ? tryParseJson(text) : undefined; // text that is no JSON is refused as no object is
      if (slice.isSpent) await slice.next();
      const read =
        excess === null ? await readDocument(kind, document) : { problems: [{ field: '', problem: excess }] };
      if ('body' in read) items.push({ index, body: read.body, id: null, source: foreignSource(document, ownSource) });
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

  /** Does the work without a trace. */
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

function foreignSource(document: unknown, ownSource: string | null): string | null {
  const { source } = document as { source?: unknown };
  return typeof source === 'string' && source !== '' && source !== ownSource ? source : null;
}
