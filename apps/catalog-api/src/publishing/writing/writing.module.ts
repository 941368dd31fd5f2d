import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { Accessions } from './accessions.js';
import { MissingRecords } from './missing-records.js';
import { Preconditions } from './preconditions.js';
import { Publisher } from './publisher.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { RecordRemover } from './record-remover.js';
import { RecordWriter } from './record-writer.js';
import { RecordWriting } from './record-writing.js';
import { WriterRightsResolver } from './writer-rights.js';

/** How documents become records. What is special about each kind stands beside it. */
@Module({
  imports: [DocumentsModule, AuditModule, VisibilityModule],
  providers: [
    RecordWriting,
    RecordWriter,
    Accessions,
    MissingRecords,
    Preconditions,
    Publisher,
    RecordRemover,
    WriterRightsResolver,
  ],
  exports: [
    RecordWriting,
    RecordWriter,
    Accessions,
    Preconditions,
    Publisher,
    WriterRightsResolver,
    DocumentsModule,
    AuditModule,
  ],
})
export class WritingModule {}
