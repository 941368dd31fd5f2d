import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { PasswordLinkUse } from './password-link-use.js';
import { PasswordLinkUseController } from './password-link-use.controller.js';
import { PasswordLinksController } from './password-links.controller.js';
import { PasswordLinksRepository } from './password-links.repository.js';
import { PasswordLinksService } from './password-links.service.js';

/** One-time links for setting passwords. */
@Module({
  imports: [AuditModule, RateLimitsModule, SecretsModule, SessionsModule],
  controllers: [PasswordLinksController, PasswordLinkUseController],
  providers: [PasswordLinksService, PasswordLinkUse, PasswordLinksRepository],
})
export class PasswordLinksModule {}
