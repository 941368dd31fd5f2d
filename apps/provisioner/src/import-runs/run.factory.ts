import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { FileCheckers } from '../fixity/file-checkers.js';
import type { Subject } from '../model/identifier.js';
import type { ImportRequest } from '../model/import-record.js';
import { Storage } from '../model/storage.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { SourceIndex } from '../source/source-index.js';
import { PlaceScanner } from '../source/place-scanner.js';
import { CopierFactory } from './copier.factory.js';
import { ImportRun } from './import-run.js';
import type { ProgressMeter } from './progress-meter.js';
import { Verification } from './verification.js';

@Injectable()
export class RunFactory {
  constructor(
    private readonly index: SourceIndex,
    private readonly surveyor: PlaceScanner,
    private readonly storage: Storage,
    private readonly copiers: CopierFactory,
    private readonly checkers: FileCheckers,
    private readonly settings: ProvisionerSettings,
  ) {}

  /**
   * Creates a run that imports a dataset or a submission.
   *
   * @param token a text that is unique to this start of the import
   */
  createImport(request: ImportRequest, meter: ProgressMeter, token = `${request.id}-${randomUUID()}`): ImportRun {
    const { index, surveyor, storage, copiers } = this;
    const { STORAGE_RESERVE: reserve, furtherManifests: manifests } = this.settings;
    const services = { index, surveyor, storage, copiers, reserve, manifests };
    return new ImportRun(services, request, meter, token);
  }

  createVerification(subject: Subject, meter: ProgressMeter): Verification {
    return new Verification(this.storage, subject, meter, this.checkers.of(subject));
  }
}
