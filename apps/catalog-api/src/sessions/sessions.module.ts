import { Module } from '@nestjs/common';
import { SessionDirectory, SessionTokens } from '@rdc/auth';
import { AuditModule } from '../audit/audit.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { CatalogSettings } from '../settings.js';
import { CatalogSessions } from './catalog-sessions.js';
import { FirstAdministrator } from './first-administrator.js';
import { PasswordLogin } from './password-login.js';
import { sessionTokensOf } from './session-tokens.provider.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';

/** People sign in and out; their sessions are known to the guard. */
@Module({
  imports: [RateLimitsModule, AuditModule],
  controllers: [SessionsController],
  providers: [
    SessionsService,
    SessionsRepository,
    PasswordLogin,
    FirstAdministrator,
    { provide: SessionTokens, inject: [CatalogSettings], useFactory: sessionTokensOf },
    { provide: SessionDirectory, useClass: CatalogSessions },
  ],
  exports: [SessionsService, SessionDirectory],
})
export class SessionsModule {}
