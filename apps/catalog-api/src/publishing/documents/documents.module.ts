import { Module } from '@nestjs/common';
import { CatalogWriter } from './catalog-writer.js';
import { DocumentReader } from './document-reader.js';
import { StoredDocuments } from './stored-documents.js';
import { WithdrawnSweep } from './withdrawn.sweep.js';

/** Stored documents: the transactions that change them, and their reader. */
@Module({
  providers: [StoredDocuments, CatalogWriter, DocumentReader, WithdrawnSweep],
  exports: [StoredDocuments, CatalogWriter, DocumentReader],
})
export class DocumentsModule {}
