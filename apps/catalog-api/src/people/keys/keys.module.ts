import { Logger, Module, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard, GlobalKey, KeyDirectory, KeyHasher } from '@rdc/auth';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { CatalogKeyDirectory } from './catalog-key-directory.js';
import { KeyIssuer } from './key-issuer.js';

/** Knows every key, and guards every handler. */
@Module({
  imports: [AuditModule, SessionsModule, RateLimitsModule],
  providers: [
    { provide: KeyHasher, inject: [CatalogSettings], useFactory: keyHasherOf },
    { provide: KeyDirectory, useClass: CatalogKeyDirectory },
    KeyIssuer,
    { provide: APP_GUARD, useClass: AuthGuard },
  ],
  exports: [KeyDirectory, KeyHasher, KeyIssuer],
})
export class KeysModule implements OnModuleInit {
  private readonly logger = new Logger(KeysModule.name);

  constructor(private readonly settings: CatalogSettings) {}

  /** Warns at every start of a global key that is missing, short or being rotated; the start never fails for it. */
  onModuleInit(): void {
    for (const warning of new GlobalKey(this.settings).warnings) this.logger.warn(warning);
  }
}

/** Hashes keys under the secret of the settings, and still knows those made under the former one. */
export function keyHasherOf({ KEY_HASH_SECRET, KEY_HASH_SECRET_PREVIOUS }: CatalogSettings): KeyHasher {
  return new KeyHasher([KEY_HASH_SECRET, ...(KEY_HASH_SECRET_PREVIOUS ? [KEY_HASH_SECRET_PREVIOUS] : [])]);
}
