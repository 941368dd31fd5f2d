import { Controller } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { RecordLifecycle } from '../../publishing/writing/record-lifecycle.js';
import { RecordController } from '../../publishing/writing/record.controller.js';
import { RecordWriting, type WriteTarget } from '../../publishing/writing/record-writing.js';
import { datasetKind } from './dataset.kind.js';
import type { DatasetBody } from './dataset.body.js';
import { DatasetsService } from './datasets.service.js';

/** Creates, changes and removes datasets. */
@Controller('api/datasets')
@CallableBy('global', 'session:admin', 'session:data_steward', 'scope:records:write')
export class DatasetsWriteController extends RecordController<DatasetBody> {
  protected readonly target: WriteTarget<DatasetBody>;

  constructor(writing: RecordWriting, lifecycle: RecordLifecycle, datasets: DatasetsService) {
    super(writing, lifecycle);
    this.target = { kind: datasetKind, requestOf: (caller, id) => datasets.requestOf(caller, id) };
  }
}
