import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { IdentityProviderModule } from '../identity-provider/identity-provider.module.js';
import { AccessRequestController } from './accessreq.controller.js';
import { AccessRequestService } from './accessreq.service.js';
import { EntitlementsRepository } from './entitlements.repository.js';

/** The webhook of the access-request system. */
@Module({
  imports: [IdentityProviderModule, AuditModule],
  controllers: [AccessRequestController],
  providers: [AccessRequestService, EntitlementsRepository],
})
export class AccessRequestModule {}
