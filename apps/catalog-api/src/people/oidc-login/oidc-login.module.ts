import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { IdentityProviderModule } from '../account-sync/identity-provider.module.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OidcClient } from './oidc-client.js';
import { OidcLoginController } from './oidc-login.controller.js';
import { OidcLoginService } from './oidc-login.service.js';
import { PeopleRepository } from './people.repository.js';

/** Signing in at the identity provider. */
@Module({
  imports: [SessionsModule, IdentityProviderModule, AuditModule, SecretsModule],
  controllers: [OidcLoginController],
  providers: [OidcLoginService, OidcClient, PeopleRepository],
})
export class OidcLoginModule {}
