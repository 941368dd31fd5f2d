import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SecretsSettings } from '../../platform/secrets/secrets.settings.js';
import {
  fingerprintOf,
  recordServiceSettings,
  requireServiceSettings,
} from '../../publishing/documents/service-settings.js';

/** Records at the start of the service which secret hashes its keys, so that commands hash keys with the same secret. */
@Injectable()
export class KeySecret implements OnApplicationBootstrap {
  constructor(
    private readonly settings: SecretsSettings,
    private readonly dataSource: DataSource,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await recordServiceSettings(this.dataSource.manager, writtenOf(this.settings));
  }
}

/**
 * Checks that the service hashes keys with the secret of this process.
 *
 * @throws OtherSettingsError if the service started with another secret
 */
export async function requireServiceSecret(settings: SecretsSettings, manager: EntityManager): Promise<void> {
  await requireServiceSettings(manager, writtenOf(settings));
}

function writtenOf({ KEY_HASH_SECRET }: SecretsSettings): Record<string, string> {
  return { KEY_HASH_SECRET: fingerprintOf(KEY_HASH_SECRET) };
}
