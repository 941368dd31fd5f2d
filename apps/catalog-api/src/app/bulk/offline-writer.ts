import type { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import type { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { Accessions } from '../../publishing/writing/accessions.js';
import { MissingRecords } from '../../publishing/writing/missing-records.js';
import { Publisher, type PublishedList } from '../../publishing/writing/publisher.js';
import { acquireWritingLock } from '../../publishing/writing/writing-lock.js';
import { RecordWriter } from '../../publishing/writing/record-writer.js';
import { BulkImport } from './bulk-import.js';

/** Writing as commands do it, without the application around it. */
export class OfflineWriting {
  readonly bulk: BulkImport;
  private readonly catalog: CatalogWriter;
  private readonly publisher: Publisher;

  constructor(settings: CatalogSettings, dataSource: DataSource) {
    const documents = new StoredDocuments(settings, dataSource, storedLists);
    const audit = new AuditTrail();
    const accessions = new Accessions(settings);
    const writer = new RecordWriter(documents, audit, accessions, new MissingRecords(accessions, audit));
    this.catalog = new CatalogWriter(dataSource, documents);
    this.publisher = new Publisher(documents, accessions, audit);
    this.bulk = new BulkImport(this.catalog, writer, accessions);
  }

  /** Publishes records by their names; returns how many were not published yet. */
  publish(list: PublishedList, names: readonly string[]): Promise<number> {
    return this.catalog.write(async (transaction) => {
      await acquireWritingLock(transaction.manager, 0);
      const rows = await transaction.manager.query<{ id: number }[]>(
        `SELECT id FROM ${list} WHERE name = ANY ($1) AND NOT published`,
        [names],
      );
      const ids = rows.map(({ id }) => id);
      await this.publisher.publish(transaction, list, ids, commandActor);
      return ids.length;
    });
  }
}
