import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ConcurrentWriteError } from '../../platform/database/postgres-errors.js';
import { poolOf } from '../../platform/database/prepared.js';
import { Semaphore, type AcquireTimeout } from './semaphore.js';
import { StoredDocuments, type ChangedRecords } from './stored-documents.js';

/** The transaction of a write. */
export interface CatalogTransaction {
  readonly manager: EntityManager;
  /** Marks records as changed. Their stored documents are rebuilt before the commit. */
  readonly touch: (changed: ChangedRecords) => void;
}

const acquireTimeout: AcquireTimeout = { ms: 10_000, timeoutError: () => new ConcurrentWriteError() };

/** Runs every write of the catalog, so that each stored document agrees with its record. */
@Injectable()
export class CatalogWriter {
  /**
   * Allows writes to hold a quarter of the connections. A waiting write keeps its connection, and readers need some.
   */
  private readonly permits: Semaphore;

  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: StoredDocuments,
  ) {
    this.permits = new Semaphore(Math.ceil(poolOf(dataSource).options.max / 4), acquireTimeout);
  }

  /**
   * Runs a transaction and rebuilds the documents of changed records before the commit. Calls cannot be nested.
   *
   * @throws ConcurrentWriteError if no permit is available within ten seconds
   */
  async write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    const release = await this.permits.acquire();
    try {
      return await this.transaction(work);
    } finally {
      release();
    }
  }

  private transaction<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      const changes: ChangedRecords[] = [];
      const result = await work({ manager, touch: (changed) => void changes.push(changed) });
      if (changes.length > 0) await this.documents.refresh(manager, merged(changes));
      return result;
    });
  }
}

function merged(changes: readonly ChangedRecords[]): ChangedRecords {
  const all: Record<string, unknown[]> = {};
  for (const change of changes) {
    for (const [kind, values] of Object.entries(change) as [string, readonly unknown[]][]) {
      all[kind] = [...new Set([...(all[kind] ?? []), ...values])];
    }
  }
  return all;
}
