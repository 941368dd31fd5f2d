import { Module } from '@nestjs/common';
import { WrongKeyLimit } from '@rdc/auth';
import { CatalogWrongKeyLimit } from './catalog-wrong-key-limit.js';
import { FailureCountsRepository } from './failure-counts.repository.js';
import { FailureLimits } from './failure-limits.js';

/** Slows down whoever guesses. */
@Module({
  providers: [FailureCountsRepository, FailureLimits, { provide: WrongKeyLimit, useClass: CatalogWrongKeyLimit }],
  exports: [FailureLimits, WrongKeyLimit],
})
export class RateLimitsModule {}
