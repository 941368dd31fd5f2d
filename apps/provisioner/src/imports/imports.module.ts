import { Module } from '@nestjs/common';
import { LimitsModule } from '../limits/limits.module.js';
import { ImportAnswer } from './import.answer.js';
import { ImportRequestsModule } from './import-requests.module.js';
import { ImportsController } from './imports.controller.js';

/** Asking for imports and reading what becomes of them, over HTTP. */
@Module({
  imports: [ImportRequestsModule, LimitsModule],
  controllers: [ImportsController],
  providers: [ImportAnswer],
  exports: [ImportRequestsModule, ImportAnswer, LimitsModule],
})
export class ImportsModule {}
