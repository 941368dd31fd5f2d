import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { FileCheckers } from '../fixity/file-checkers.js';
import type { Subject } from '../model/identifier.js';
import type { ImportRequest } from '../model/import-record.js';
import type { RequestLog } from '../model/request-log.js';
import { Storage } from '../model/storage.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { SourceAccess } from '../scan/source-access.js';
import type { SourceGate } from '../source/source-gate.js';
import { DatasetCopies } from './dataset-copies.js';
import { ImportRun } from './import-run.js';
import { PlanRun } from './plan-run.js';
import type { ProgressMeter } from './progress-meter.js';
import { Verification } from './verification.js';

@Injectable()
export class RunFactory {
  constructor(
    private readonly source: SourceAccess,
    private readonly storage: Storage,
    private readonly copies: DatasetCopies,
    private readonly checkers: FileCheckers,
    private readonly settings: ProvisionerSettings,
  ) {}

  /**
   * Creates a run that imports a dataset or a submission.
   *
   * @param token a text that is unique to this start of the import
   */
  createImport(request: ImportRequest, meter: ProgressMeter, token = `${request.id}-${randomUUID()}`): ImportRun {
    const { source, storage, copies, settings } = this;
    const services = { source, storage, copies, settings };
    return new ImportRun(services, request, meter, token);
  }

  /** Creates a run that plans an import. @param log the log that contains the open requests */
  createPlan(log: RequestLog, request: ImportRequest, meter: ProgressMeter): PlanRun {
    const { source, storage, settings } = this;
    const services = { source, storage, log, reserve: settings.STORAGE_RESERVE };
    return new PlanRun(services, request, meter);
  }

  /** The check that this worker sees the source. */
  get sourceGate(): SourceGate {
    return this.source.index.gate;
  }

  /** Ends the threads of all runs. */
  async close(): Promise<void> {
    await Promise.all([this.copies.copiers.close(), this.checkers.close()]);
  }

  createVerification(subject: Subject, meter: ProgressMeter): Verification {
    return new Verification(this.storage, subject, meter, this.checkers.of(subject));
  }
}
