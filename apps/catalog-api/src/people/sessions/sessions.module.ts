import { Module } from '@nestjs/common';
import { SessionDirectory, SessionTokens } from '@rdc/auth';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { SessionSettings } from './session.settings.js';
import { CatalogSessions } from './catalog-sessions.js';
import { FirstAdministrator } from './first-administrator.js';
import { NewPasswords } from './new-passwords.js';
import { PasswordLogin } from './password-login.js';
import { PasswordSetter } from './password-setter.js';
import { PasswordsRepository } from './passwords.repository.js';
import { sessionTokensOf } from './session-tokens.provider.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { SignInTrail } from './sign-in-trail.js';
import { LoginThrottle } from './login-throttle.js';

/** Concurrent password hashes in one process. Each needs 32 MiB and a thread. */
const concurrentHashes = 2;

/** Signs people in and out, and identifies callers by their sessions. */
@Module({
  imports: [RateLimitsModule, AuditModule, SecondFactorModule, SecretsModule],
  controllers: [SessionsController],
  providers: [
    SessionsService,
    SessionsRepository,
    PasswordLogin,
    NewPasswords,
    PasswordsRepository,
    PasswordSetter,
    SignInTrail,
    FirstAdministrator,
    { provide: LoginThrottle, useFactory: () => new LoginThrottle(concurrentHashes) },
    { provide: SessionTokens, inject: [SessionSettings], useFactory: sessionTokensOf },
    { provide: SessionDirectory, useClass: CatalogSessions },
  ],
  exports: [
    SessionsService,
    SessionsRepository,
    PasswordLogin,
    NewPasswords,
    PasswordsRepository,
    PasswordSetter,
    SignInTrail,
    SessionDirectory,
  ],
})
export class SessionsModule {}
