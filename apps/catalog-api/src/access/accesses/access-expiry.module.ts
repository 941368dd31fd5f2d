import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { ExpiredAccessesRepository } from './expired-accesses.repository.js';
import { ExpirySweep } from './expiry.sweep.js';

/** Ends accesses that have expired. */
@Module({ imports: [AuditModule], providers: [ExpirySweep, ExpiredAccessesRepository] })
export class AccessExpiryModule {}
