import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { AccessionPrefix } from './accession-prefix.js';
import { Accessions } from './accessions.js';
import { MissingRecords } from './missing-records.js';
import { Preconditions } from './preconditions.js';
import { Publisher } from './publisher.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { RecordLifecycle } from './record-lifecycle.js';
import { RecordRemover } from './record-remover.js';
import { RecordWriter } from './record-writer.js';
import { RecordWriting } from './record-writing.js';
import { WriterRightsResolver } from './writer-rights.js';

/** Writes of records. Each kind of record provides a `RecordKind`. */
@Module({
  imports: [DocumentsModule, AuditModule, VisibilityModule],
  providers: [
    RecordWriting,
    RecordLifecycle,
    RecordWriter,
    Accessions,
    AccessionPrefix,
    MissingRecords,
    Preconditions,
    Publisher,
    RecordRemover,
    WriterRightsResolver,
  ],
  exports: [
    RecordWriting,
    RecordLifecycle,
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
