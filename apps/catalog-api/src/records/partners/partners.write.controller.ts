import { Controller } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { RecordLifecycle } from '../../publishing/writing/record-lifecycle.js';
import { PublishedRecordController } from '../../publishing/writing/published-record.controller.js';
import { RecordWriting, type WriteTarget } from '../../publishing/writing/record-writing.js';
import { partnerKind } from './partner.kind.js';
import type { PartnerBody } from './partner.schema.js';
import { PartnersService } from './partners.service.js';

/** Creates, changes and removes partners. */
@Controller('api/partners')
@CallableBy('global', 'session:admin', 'session:data_steward', 'scope:records:write')
export class PartnersWriteController extends PublishedRecordController<PartnerBody> {
  protected readonly target: WriteTarget<PartnerBody>;

  constructor(writing: RecordWriting, lifecycle: RecordLifecycle, partners: PartnersService) {
    super(writing, lifecycle);
    this.target = { kind: partnerKind, requestOf: (caller, id) => partners.requestOf(caller, id) };
  }
}
