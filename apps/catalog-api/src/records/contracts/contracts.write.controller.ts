import { Controller } from '@nestjs/common';
import { CallableBy } from '@rdc/auth';
import { RecordLifecycle } from '../../publishing/writing/record-lifecycle.js';
import { RecordController } from '../../publishing/writing/record.controller.js';
import { RecordWriting, type WriteTarget } from '../../publishing/writing/record-writing.js';
import { contractKind } from './contract.kind.js';
import type { ContractBody } from './contract.schema.js';
import { ContractsService } from './contracts.service.js';

/** Creates, changes and removes contracts. */
@Controller('api/contracts')
@CallableBy('global', 'session:admin', 'session:data_steward', 'session:legal', 'scope:records:write')
export class ContractsWriteController extends RecordController<ContractBody> {
  protected readonly target: WriteTarget<ContractBody>;

  constructor(writing: RecordWriting, lifecycle: RecordLifecycle, contracts: ContractsService) {
    super(writing, lifecycle);
    this.target = { kind: contractKind, requestOf: (caller, id) => contracts.requestOf(caller, id) };
  }
}
