import type { Settings } from '@rdc/settings';
import type { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { commandActor } from '../../publishing/audit/command-actor.js';
import { CatalogWriter } from '../../publishing/documents/catalog-writer.js';
import { storedLists } from '../../records/definitions/stored-lists.js';
import { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { AccessionsSettings } from '../../publishing/writing/accessions.settings.js';
import { Accessions } from '../../publishing/writing/accessions.js';
import { MissingRecords } from '../../publishing/writing/missing-records.js';
import { Publisher, type PublishedList } from '../../publishing/writing/publisher.js';
import { acquireWritingLock } from '../../publishing/writing/writing-lock.js';
import { RecordWriter } from '../../publishing/writing/record-writer.js';
import { BulkImport } from './bulk-import.js';

/** Writes records from a command, without the running application. */
export class OfflineWriter {
  readonly bulk: BulkImport;
  private readonly catalog: CatalogWriter;
  private readonly publisher: Publisher;

  constructor(settings: Settings, dataSource: DataSource) {
    const documents = new StoredDocuments(settings.get(DocumentsSettings), dataSource, storedLists);
    const audit = new AuditTrail();
    const accessions = new Accessions(settings.get(AccessionsSettings));
    const writer = new RecordWriter(documents, audit, accessions, new MissingRecords(accessions, audit));
    this.catalog = new CatalogWriter(dataSource, documents);
    this.publisher = new Publisher(documents, accessions, audit);
    this.bulk = new BulkImport(this.catalog, writer, accessions);
  }

  /** Publishes records by name. @returns the number of records that were not published before */
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
