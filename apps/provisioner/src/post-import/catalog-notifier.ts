import { Injectable, Logger } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { Commit } from '../model/commit.js';
import { Storage } from '../model/storage.js';
import { CatalogClient, type NotifyResult, type StorageEntry, type StoredSize } from './catalog-client.js';
import { PostImportTasks } from './post-import-tasks.js';
import { SubjectBackoff } from './subject-backoff.js';

/** The interval at which refused notifications are retried. */
const retryRefusedMs = 60 * 60_000;

/** The notifier of the catalog. It reports the location and size of imported datasets and the removal of withdrawn datasets. */
@Injectable()
export class CatalogNotifier {
  private readonly logger = new Logger(CatalogNotifier.name);
  private readonly client: CatalogClient | null;
  private readonly pending = new SubjectBackoff(this.logger);
  private readonly refused = new SubjectBackoff(this.logger);
  private retriedAt = Date.now();

  constructor(
    private readonly tasks: PostImportTasks,
    private readonly storage: Storage,
    private readonly settings: ProvisionerSettings,
  ) {
    const { CATALOG_URL, CATALOG_API_KEY, CATALOG_DRAFTS } = settings;
    this.client =
      CATALOG_URL === undefined ? null : new CatalogClient(CATALOG_URL, CATALOG_API_KEY ?? '', CATALOG_DRAFTS);
    if (settings.catalogKeyWarning !== null) this.logger.warn(settings.catalogKeyWarning);
  }

  /**
   * Notifies the catalog of every dataset with a pending task, and once an hour of the refused datasets.
   *
   * @returns the time until the next retry, in milliseconds
   * @throws the first failure if every notification failed
   */
  async notifyPending(): Promise<number> {
    const { client } = this;
    if (!client) return Infinity;
    const pending = await this.tasks.listPending('catalog');
    const nextMs = await this.pending.run([...pending.keys()], async (id) => {
      await this.notify(client, id);
      await this.tasks.complete('catalog', pending.get(id));
    });
    if (Date.now() - this.retriedAt < retryRefusedMs) return nextMs;
    this.retriedAt = Date.now();
    await this.refused.run(await this.tasks.listRefused(), (id) => this.notify(client, id));
    return nextMs;
  }

  /** Notifies the catalog until the state of the dataset no longer changes, because other workers notify it too. */
  private async notify(client: CatalogClient, id: string): Promise<void> {
    let notified: string | undefined;
    let commit = await this.commitOf(id);
    do {
      notified = commit?.import_id;
      await (commit ? this.notifyImport(client, id, commit.content) : this.notifyWithdrawal(client, id));
      commit = await this.commitOf(id);
    } while (commit?.import_id !== notified);
  }

  private async notifyImport(client: CatalogClient, id: string, { bytes, files }: StoredSize): Promise<void> {
    const result = await client.record(id, this.entryOf(id), { bytes, files });
    if (result.state !== 'recorded' && result.state !== 'drafted') return this.recordRefused(id, result);
    this.logger.log(`notified the catalog of an import: dataset=${id} result=${result.state}`);
    await this.tasks.removeRefused(id);
  }

  /** Notifies the catalog of a withdrawal. If the catalog has no such dataset, there is nothing to remove. */
  private async notifyWithdrawal(client: CatalogClient, id: string): Promise<void> {
    const result = await client.remove(id, this.entryOf(id));
    if (result.state === 'refused') return this.recordRefused(id, result);
    this.logger.log(`notified the catalog of a withdrawal: dataset=${id}`);
    await this.tasks.removeRefused(id);
  }

  private async recordRefused(id: string, result: NotifyResult): Promise<void> {
    const reason = result.state === 'refused' ? result.reason : 'The catalog has no dataset of this external_id.';
    this.logger.warn(`the catalog refused a notification: dataset=${id}: ${reason}`);
    await this.tasks.recordRefused(id, reason);
  }

  private commitOf(id: string): Promise<Commit | null> {
    return this.storage.findCommit({ kind: 'dataset', id });
  }

  private entryOf(id: string): StorageEntry {
    const location = this.storage.pathOf({ kind: 'dataset', id });
    return { platform: this.settings.CATALOG_PLATFORM, location, category: 'master' };
  }
}
