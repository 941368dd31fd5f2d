import { Controller } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { RecordLifecycle } from '../../publishing/writing/record-lifecycle.js';
import { PublishedRecordController } from '../../publishing/writing/published-record.controller.js';
import { RecordWriting, type WriteTarget } from '../../publishing/writing/record-writing.js';
import { cohortKind } from './cohort.kind.js';
import type { CohortBody } from './cohort.schema.js';
import { CohortsService } from './cohorts.service.js';

/** Creates, changes and removes cohorts. */
@Controller('api/cohorts')
@CallableBy('global', 'session:admin', 'session:data_steward', 'scope:records:write')
export class CohortsWriteController extends PublishedRecordController<CohortBody> {
  protected readonly target: WriteTarget<CohortBody>;

  constructor(writing: RecordWriting, lifecycle: RecordLifecycle, cohorts: CohortsService) {
    super(writing, lifecycle);
    this.target = { kind: cohortKind, requestOf: (caller, id) => cohorts.requestOf(caller, id) };
  }
}
