import { Injectable } from '@nestjs/common';
import type { CallerRule, Principal } from '@rdc/auth';
import { requireCaller } from '../../platform/administration/require-caller.js';
import type { OverviewResponse } from './overview.dto.js';
import { OverviewRepository } from './overview.repository.js';

/** The callers that may count all records. */
export const overviewReaders = [
  'global',
  'session:admin',
  'session:data_steward',
  'session:auditor',
] as const satisfies readonly CallerRule[];

/** Counts of the records in the catalog, for callers who may read every record. */
@Injectable()
export class OverviewService {
  constructor(private readonly repository: OverviewRepository) {}

  async get(caller: Principal): Promise<OverviewResponse> {
    requireCaller(caller, overviewReaders);
    return this.repository.count();
  }
}
