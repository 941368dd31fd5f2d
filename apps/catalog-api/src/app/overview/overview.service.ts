import { Injectable } from '@nestjs/common';
import type { CallerRule, Principal } from '@rdc/auth';
import { requireCaller } from '../../platform/administration/require-caller.js';
import type { OverviewResponse } from './overview.dto.js';
import { OverviewRepository } from './overview.repository.js';

/** Counts of the records in the catalog, for callers who may read every record. */
@Injectable()
export class OverviewService {
  constructor(private readonly repository: OverviewRepository) {}

  /** @throws AccessDeniedError if the caller may not read every record */
  async get(caller: Principal): Promise<OverviewResponse> {
    if (caller.kind !== 'global' && !hasRole(caller, 'admin', 'data_steward', 'auditor')) {
      throw new AccessDeniedError('The overview requires the role admin, data_steward or auditor, or the global key.');
    }
    return this.repository.count();
  }
}
