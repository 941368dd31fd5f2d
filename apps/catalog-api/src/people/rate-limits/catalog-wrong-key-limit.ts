import { Injectable } from '@nestjs/common';
import { networkOf, WrongKeyLimit } from '@rdc/auth';
import { FailureLimits } from './failure-limits.js';

/** Counts wrong keys by network, over all replicas. */
@Injectable()
export class CatalogWrongKeyLimit extends WrongKeyLimit {
  constructor(private readonly limits: FailureLimits) {
    super();
  }

  recordFailure(address: string): Promise<void> {
    return this.limits.wrongKeys.recordFailure(networkOf(address));
  }
}
