import { Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

/** The audit trail. Every write adds entries; administrators, auditors and data stewards read them. */
@Module({
  controllers: [AuditController],
  providers: [AuditTrail, AuditService, AuditRepository],
  exports: [AuditTrail],
})
export class AuditModule {}
