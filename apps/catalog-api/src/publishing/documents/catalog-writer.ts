import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConcurrentWriteError } from '../../platform/database/postgres-errors.js';
import { poolOf } from '../../platform/database/prepared.js';
import { Semaphore, type AcquireTimeout } from './semaphore.js';
import { StoredDocuments, type ChangedRecords } from './stored-documents.js';

/** What a write works with: one transaction, and the note of what it touched. */
export interface CatalogTransaction {
  readonly manager: EntityManager;
  /** Notes records whose stored documents must follow. Cheap; call it for every record that is written. */
  readonly touch: (touched: ChangedRecords) => void;
}

/** As long as one write waits for others. */
const patience: AcquireTimeout = { ms: 10_000, timeoutError: () => new ConcurrentWriteError() };

/** Every write of the catalog goes through here, so that no document ever disagrees with its record. */
@Injectable()
export class CatalogWriter {
  /** A quarter of the connections: a write keeps its own while it waits for others, and readers must find one too. */
  private readonly places: Semaphore;

  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: StoredDocuments,
  ) {
    this.places = new Semaphore(Math.ceil(poolOf(dataSource).options.max / 4), patience);
  }

  /**
   * Runs one transaction; before it commits, the documents of all that was touched are made again. Never within another.
   *
   * @throws ObstructedWriteError when too many others write and do not get on
   */
  async write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    const leave = await this.places.acquire();
    try {
      return await this.transaction(work);
    } finally {
      leave();
    }
  }

  private transaction<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      const notes: ChangedRecords[] = [];
      const result = await work({ manager, touch: (touched) => void notes.push(touched) });
      if (notes.length > 0) await this.documents.refresh(manager, merged(notes));
      return result;
    });
  }
}

function merged(notes: readonly ChangedRecords[]): ChangedRecords {
  const all: Record<string, unknown[]> = {};
  for (const note of notes) {
    for (const [kind, values] of Object.entries(note) as [string, readonly unknown[]][]) {
      all[kind] = [...new Set([...(all[kind] ?? []), ...values])];
    }
  }
  return all;
}
