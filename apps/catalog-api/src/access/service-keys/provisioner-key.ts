import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { KeyHasher } from '@rdc/auth';
import type { EntityManager } from 'typeorm';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { ProvisionerKeySettings } from './provisioner-key.settings.js';
import { ServiceKeyIssuer, touchLimits, type ServiceKeyInput } from './service-key-issuer.js';
import { ServiceKeysRepository } from './service-keys.repository.js';

/** The key that `PROVISIONER_API_KEY` registers. Administrators may change its scopes later. */
const provisionerKey: ServiceKeyInput = {
  name: 'provisioner',
  scopes: ['storages:write', 'introspection'],
  submissions: null,
  projects: null,
  expires_at: null,
};

/** The actor in audit entries about a key from the settings. */
const actor = 'settings';

/** The time for which the previous key stays valid after a change of the setting, while the services restart. */
const overlapSeconds = 3_600;

/**
 * Registers the key in `PROVISIONER_API_KEY`, so that both services can read the key from one vault. A key is
 * registered once: a revoked key stays revoked.
 */
@Injectable()
export class ProvisionerKey implements OnApplicationBootstrap {
  private readonly logger = new Logger(ProvisionerKey.name);

  constructor(
    private readonly settings: ProvisionerKeySettings,
    private readonly hasher: KeyHasher,
    private readonly repository: ServiceKeysRepository,
    private readonly issuer: ServiceKeyIssuer,
    private readonly catalog: CatalogWriter,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const key = this.settings.PROVISIONER_API_KEY;
    if (key === undefined) return;
    await this.catalog.write(async (transaction) => {
      // Replicas that start together wait here. The second replica finds the key of the first.
      await transaction.manager.query(`SELECT pg_advisory_xact_lock(hashtext('provisioner key'))`);
      await this.register(transaction, key);
    });
  }

  private async register(transaction: CatalogTransaction, key: string): Promise<void> {
    const { manager, touch } = transaction;
    const owner = await this.repository.ownerOf(manager, this.hasher.candidates(key));
    if (owner !== undefined) return this.warnIfRevoked(manager, owner);
    const id = await this.repository.lockNamed(manager, provisionerKey.name);
    if (id === undefined) {
      await this.issuer.create(transaction, provisionerKey, actor, key);
      return;
    }
    await this.repository.setRevoked(manager, id, false);
    const existing = await this.repository.find(id, manager);
    if (existing) touchLimits(touch, existing);
    await this.issuer.rotate(manager, id, { actor, overlapSeconds, key });
  }

  private async warnIfRevoked(manager: EntityManager, owner: number): Promise<void> {
    const row = await this.repository.find(owner, manager);
    if (row?.revoked_at === null) return;
    this.logger.warn('PROVISIONER_API_KEY is revoked: set a new key for the catalog and the provisioner');
  }
}
