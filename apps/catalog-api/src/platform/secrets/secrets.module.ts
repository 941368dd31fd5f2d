import { Module } from '@nestjs/common';
import { CatalogSettings } from '../settings/catalog.settings.js';
import { AccountSecrets } from './account-secrets.js';

/** The module that hashes and encrypts secrets of accounts. */
@Module({
  providers: [{ provide: AccountSecrets, inject: [CatalogSettings], useFactory: accountSecretsOf }],
  exports: [AccountSecrets],
})
export class SecretsModule {}

/** Derives the keys from `KEY_HASH_SECRET`, and accepts `KEY_HASH_SECRET_PREVIOUS` during a rotation. */
export function accountSecretsOf({ KEY_HASH_SECRET, KEY_HASH_SECRET_PREVIOUS }: CatalogSettings): AccountSecrets {
  return new AccountSecrets([KEY_HASH_SECRET, ...(KEY_HASH_SECRET_PREVIOUS ? [KEY_HASH_SECRET_PREVIOUS] : [])]);
}
