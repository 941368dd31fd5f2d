import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { ImportResponder } from './import.responder.js';
import { ImportRequestsModule } from './import-requests.module.js';
import { ImportsController } from './imports.controller.js';

/** Asking for imports and reading what becomes of them, over HTTP. */
@Module({
  imports: [ImportRequestsModule, LimitsModule],
  controllers: [ImportsController],
  providers: [ImportResponder],
  exports: [ImportRequestsModule, ImportResponder, LimitsModule],
})
export class ImportsModule {}
