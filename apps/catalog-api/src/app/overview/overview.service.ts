import { Injectable } from '@nestjs/common';
import { hasRole, type Principal } from '@rdc/auth';
import { AccessDeniedError } from '@rdc/errors';
import type { OverviewResponse } from './overview.dto.js';
import { OverviewRepository } from './overview.repository.js';

/** The catalog in numbers: for whoever may read every record. */
@Injectable()
export class OverviewService {
  constructor(private readonly repository: OverviewRepository) {}

  async get(caller: Principal): Promise<OverviewResponse> {
    if (caller.kind !== 'global' && !hasRole(caller, 'admin', 'data_steward', 'auditor')) {
      throw new AccessDeniedError('Only administrators, data stewards and auditors see what there is in all.');
    }
    return this.repository.count();
  }
}
