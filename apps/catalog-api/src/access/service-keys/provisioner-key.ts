import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { KeyHasher } from '@rdc/auth';
import type { EntityManager } from 'typeorm';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
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

/** How the audit trail names a key that came from the settings. */
const actor = 'settings';

/** For how long the former key stays valid if the setting changes, so that both services can restart in turn. */
const overlapSeconds = 3_600;

/**
 * Registers the key of the provisioner that `PROVISIONER_API_KEY` holds, so that both services can have it from one
 * vault and no person has to carry it from one to the other. A key that was registered once is never registered again:
 * a revoked key stays revoked.
 */
@Injectable()
export class ProvisionerKey implements OnApplicationBootstrap {
  private readonly logger = new Logger(ProvisionerKey.name);

  constructor(
    private readonly settings: CatalogSettings,
    private readonly hasher: KeyHasher,
    private readonly repository: ServiceKeysRepository,
    private readonly issuer: ServiceKeyIssuer,
    private readonly catalog: CatalogWriter,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const key = this.settings.PROVISIONER_API_KEY;
    if (key === undefined) return;
    await this.catalog.write(async (transaction) => {
      // Replicas that start together wait for each other here, and the second finds the key of the first.
      await transaction.manager.query(`SELECT pg_advisory_xact_lock(hashtext('provisioner key'))`);
      await this.register(transaction, key);
    });
  }

  private async register(transaction: CatalogTransaction, key: string): Promise<void> {
    const { manager, touch } = transaction;
    const owner = await this.repository.ownerOf(manager, this.hasher.candidates(key));
    if (owner !== undefined) return this.warnOfEnded(manager, owner);
    const id = await this.repository.lockNamed(manager, provisionerKey.name);
    if (id === undefined) {
      await this.issuer.create(transaction, provisionerKey, actor, key);
      return;
    }
    await this.repository.setRevoked(manager, id, false);
    const kept = await this.repository.find(id, manager);
    if (kept) touchLimits(touch, kept);
    await this.issuer.rotate(manager, id, { actor, overlapSeconds, key });
  }

  private async warnOfEnded(manager: EntityManager, owner: number): Promise<void> {
    const row = await this.repository.find(owner, manager);
    if (row?.revoked_at === null) return;
    this.logger.warn('PROVISIONER_API_KEY was revoked and stays so: set a new key here and at the provisioner.');
  }
}
