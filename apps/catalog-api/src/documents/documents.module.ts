import { Module } from '@nestjs/common';
import { CatalogWriter } from './catalog-writer.js';
import { StoredDocuments } from './stored-documents.js';

/** Owns the stored documents and the transactions that change what they are made of. */
@Module({ providers: [StoredDocuments, CatalogWriter], exports: [StoredDocuments, CatalogWriter] })
export class DocumentsModule {}
