import { Module } from '@nestjs/common';
import { SecretsSettings } from './secrets.settings.js';
import { AccountSecrets } from './account-secrets.js';

/** The module that hashes and encrypts secrets of accounts. */
@Module({
  providers: [{ provide: AccountSecrets, inject: [SecretsSettings], useFactory: accountSecretsOf }],
  exports: [AccountSecrets],
})
export class SecretsModule {}

/** Derives the keys from `KEY_HASH_SECRET`, and accepts `KEY_HASH_SECRET_PREVIOUS` during a rotation. */
export function accountSecretsOf({ KEY_HASH_SECRET, KEY_HASH_SECRET_PREVIOUS }: SecretsSettings): AccountSecrets {
  return new AccountSecrets([KEY_HASH_SECRET, ...(KEY_HASH_SECRET_PREVIOUS ? [KEY_HASH_SECRET_PREVIOUS] : [])]);
}
