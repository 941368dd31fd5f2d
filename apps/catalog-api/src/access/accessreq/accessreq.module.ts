import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { IdentityProviderModule } from '../../people/account-sync/identity-provider.module.js';
import { RateLimitsModule } from '../../people/rate-limits/rate-limits.module.js';
import { AccessRequestController } from './accessreq.controller.js';
import { AccessRequestMetrics } from './accessreq.metrics.js';
import { AccessRequestSystem } from './access-request-system.js';
import { AccessRequestService } from './accessreq.service.js';
import { ConfirmationSweep } from './confirmation.sweep.js';
import { EntitlementsRepository } from './entitlements.repository.js';
import { RefusedEntitlementsController } from './refused-entitlements.controller.js';
import { RefusedEntitlementsRepository } from './refused-entitlements.repository.js';
import { RefusedEntitlementsService } from './refused-entitlements.service.js';
import { RefusedEntitlementsSweep } from './refused-entitlements.sweep.js';

/** The webhook of the access-request system, and the entitlements that it refused. */
@Module({
  imports: [IdentityProviderModule, AuditModule, RateLimitsModule],
  controllers: [AccessRequestController, RefusedEntitlementsController],
  providers: [
    AccessRequestService,
    AccessRequestSystem,
    AccessRequestMetrics,
    ConfirmationSweep,
    EntitlementsRepository,
    RefusedEntitlementsRepository,
    RefusedEntitlementsService,
    RefusedEntitlementsSweep,
  ],
  exports: [AccessRequestService, AccessRequestSystem],
})
export class AccessRequestModule {}
