import { Logger, Module, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard, GlobalKey, KeyDirectory, KeyHasher } from '@rdc/auth';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { SecretsModule } from '../../platform/secrets/secrets.module.js';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';
import { CatalogKeyDirectory } from './catalog-key-directory.js';
import { ImportedEndpointKeys } from './imported-endpoint-keys.js';
import { KeyIssuer } from './key-issuer.js';
import { KeySecret } from './key-secret.js';

/** Identifies keys and guards every handler. */
@Module({
  imports: [AuditModule, SessionsModule, RateLimitsModule, SecretsModule],
  providers: [
    { provide: KeyHasher, inject: [SecretsSettings], useFactory: keyHasherOf },
    { provide: KeyDirectory, useClass: CatalogKeyDirectory },
    KeyIssuer,
    ImportedEndpointKeys,
    KeySecret,
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [KeyDirectory, KeyHasher, KeyIssuer],
})
export class KeysModule implements OnModuleInit {
  private readonly logger = new Logger(KeysModule.name);

  constructor(private readonly settings: HttpSettings) {}

  /** Logs a warning if the global key is missing, short or being rotated. The start never fails. */
  onModuleInit(): void {
    for (const warning of new GlobalKey(this.settings).warnings) this.logger.warn(warning);
  }
}

/** Returns the hasher of keys. It uses the current secret for new keys and also finds keys of the previous secret. */
export function keyHasherOf({ KEY_HASH_SECRET, KEY_HASH_SECRET_PREVIOUS }: SecretsSettings): KeyHasher {
  return new KeyHasher([KEY_HASH_SECRET, ...(KEY_HASH_SECRET_PREVIOUS ? [KEY_HASH_SECRET_PREVIOUS] : [])]);
}
