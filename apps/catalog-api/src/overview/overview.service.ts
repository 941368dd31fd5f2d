import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { requireAdministrator } from '../administration/administrator.js';
import type { OverviewResponse } from './overview.dto.js';
import { OverviewRepository } from './overview.repository.js';

/** The catalog in numbers: for administrators. */
@Injectable()
export class OverviewService {
  constructor(private readonly repository: OverviewRepository) {}

  async get(caller: Principal): Promise<OverviewResponse> {
    requireAdministrator(caller);
    return this.repository.count();
  }
}
