import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { StoredDocuments, type Touched } from './stored-documents.js';

/** What a write works with: one transaction, and the note of what it touched. */
export interface CatalogTransaction {
  readonly manager: EntityManager;
  /** Notes records whose stored documents must follow. Cheap; call it for every record that is written. */
  readonly touch: (touched: Touched) => void;
}

/** Every write of the catalog goes through here, so that no document ever disagrees with its record. */
@Injectable()
export class CatalogWriter {
  constructor(
    private readonly dataSource: DataSource,
    private readonly documents: StoredDocuments,
  ) {}

  /** Runs one transaction; before it commits, the documents of all that was touched are made again. */
  async write<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      const notes: Touched[] = [];
      const result = await work({ manager, touch: (touched) => void notes.push(touched) });
      if (notes.length > 0) await this.documents.refresh(manager, merged(notes));
      return result;
    });
  }
}

function merged(notes: readonly Touched[]): Touched {
  const all: Record<string, unknown[]> = {};
  for (const note of notes) {
    for (const [kind, values] of Object.entries(note) as [string, readonly unknown[]][]) {
      all[kind] = [...new Set([...(all[kind] ?? []), ...values])];
    }
  }
  return all;
}
