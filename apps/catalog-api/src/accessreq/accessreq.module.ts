import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { IdentityProviderModule } from '../identity-provider/identity-provider.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { AccessRequestController } from './accessreq.controller.js';
import { AccessRequestSystem } from './access-request-system.js';
import { AccessRequestService } from './accessreq.service.js';
import { ConfirmationSweep } from './confirmation.sweep.js';
import { EntitlementsRepository } from './entitlements.repository.js';

/** The webhook of the access-request system. */
@Module({
  imports: [IdentityProviderModule, AuditModule, RateLimitsModule],
  controllers: [AccessRequestController],
  providers: [AccessRequestService, AccessRequestSystem, ConfirmationSweep, EntitlementsRepository],
  exports: [AccessRequestService],
})
export class AccessRequestModule {}
