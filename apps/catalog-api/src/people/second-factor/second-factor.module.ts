import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { SecondFactorRepository } from './second-factor.repository.js';
import { SecondFactors } from './second-factors.js';

/** The optional second factor of local accounts. */
@Module({
  imports: [AuditModule, SecretsModule],
  providers: [SecondFactors, SecondFactorRepository],
  exports: [SecondFactors],
})
export class SecondFactorModule {}
