import { Module } from '@nestjs/common';
import { WrongKeyLimit } from '@rdc/auth';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { AuditBudget } from './audit-budget.js';
import { CatalogWrongKeyLimit } from './catalog-wrong-key-limit.js';
import { FailureCountsRepository } from './failure-counts.repository.js';
import { FailureLimits } from './failure-limits.js';
import { ThrottleTrail } from './throttle-trail.js';
import { ThrottlesController } from './throttles.controller.js';
import { ThrottlesService } from './throttles.service.js';

/** Limits callers that guess keys and passwords, and lets administrators release them. */
@Module({
  imports: [AuditModule],
  controllers: [ThrottlesController],
  providers: [
    AuditBudget,
    FailureCountsRepository,
    FailureLimits,
    ThrottleTrail,
    ThrottlesService,
    { provide: WrongKeyLimit, useClass: CatalogWrongKeyLimit },
  ],
  exports: [AuditBudget, FailureLimits, ThrottlesService, WrongKeyLimit],
})
export class RateLimitsModule {}
