import { Module } from '@nestjs/common';
import { ImportAnswer } from './import.answer.js';
import { ImportRequestsModule } from './import-requests.module.js';
import { ImportsController } from './imports.controller.js';

/** Asking for imports and reading what becomes of them, over HTTP. */
@Module({
  imports: [ImportRequestsModule],
  controllers: [ImportsController],
  providers: [ImportAnswer],
  exports: [ImportRequestsModule, ImportAnswer],
})
export class ImportsModule {}
