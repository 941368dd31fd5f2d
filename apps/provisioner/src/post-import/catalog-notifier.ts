import { Injectable, Logger } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { Storage } from '../model/storage.js';
import { CatalogClient, type StorageEntry, type NotifyResult } from './catalog-client.js';
import { PostImportTasks } from './post-import-tasks.js';
import { SubjectBackoff } from './subject-backoff.js';

/** Datasets that the catalog did not know are asked for again so often. */
const retryUntoldMs = 60 * 60_000;

/** Tells the catalog where imported datasets lie, and which lie there no more (provisioner interface, section 7). */
@Injectable()
export class CatalogNotifier {
  private readonly logger = new Logger(CatalogNotifier.name);
  private readonly client: CatalogClient | null;
  private readonly pending = new SubjectBackoff(this.logger);
  private readonly untold = new SubjectBackoff(this.logger);
  private retriedAt = Date.now();

  constructor(
    private readonly followUps: PostImportTasks,
    private readonly storage: Storage,
    private readonly settings: ProvisionerSettings,
  ) {
    const { CATALOG_URL, CATALOG_API_KEY, CATALOG_DRAFTS } = settings;
    this.client =
      CATALOG_URL === undefined ? null : new CatalogClient(CATALOG_URL, CATALOG_API_KEY ?? '', CATALOG_DRAFTS);
    if (settings.catalogKeyWarning !== null) this.logger.warn(settings.catalogKeyWarning);
  }

  /**
   * Tells of every dataset that is noted.
   *
   * @returns after how many milliseconds one is to be tried again
   * @throws the first failure, when it could tell of none
   */
  async notifyPending(): Promise<number> {
    const { client } = this;
    if (!client) return Infinity;
    const noted = await this.followUps.listPending('catalog');
    const nextMs = await this.pending.run([...noted.keys()], async (id) => {
      await this.tell(client, id);
      await this.followUps.complete('catalog', noted.get(id));
    });
    if (Date.now() - this.retriedAt < retryUntoldMs) return nextMs;
    this.retriedAt = Date.now();
    await this.untold.run(await this.followUps.listUnnotified(), (id) => this.tell(client, id));
    return nextMs;
  }

  /** After telling it looks again, so that of several workers at once the last has told what is so. */
  private async tell(client: CatalogClient, id: string): Promise<void> {
    let told: boolean;
    let isThere = await this.isImported(id);
    do {
      told = isThere;
      await (isThere ? this.tellPlace(client, id) : this.tellAbsence(client, id));
      isThere = await this.isImported(id);
    } while (isThere !== told);
  }

  private async tellPlace(client: CatalogClient, id: string): Promise<void> {
    const told = await client.record(id, this.entryOf(id));
    if (told.state === 'recorded' || told.state === 'drafted') {
      this.logger.log(`the catalog knows where ${id} lies (${told.state})`);
      return this.followUps.removeUnnotified(id);
    }
    await this.noteUntold(id, told);
  }

  /** A catalog that does not know the dataset has nothing to forget. */
  private async tellAbsence(client: CatalogClient, id: string): Promise<void> {
    const told = await client.remove(id, this.entryOf(id));
    if (told.state === 'refused') return this.noteUntold(id, told);
    this.logger.log(`the catalog knows that ${id} lies here no more`);
    await this.followUps.removeUnnotified(id);
  }

  private async noteUntold(id: string, told: NotifyResult): Promise<void> {
    const why = told.state === 'refused' ? told.why : 'The catalog has no dataset of this external_id.';
    this.logger.warn(`the catalog was not told where ${id} lies: ${why}`);
    await this.followUps.recordUnnotified(id, why);
  }

  private async isImported(id: string): Promise<boolean> {
    return (await this.storage.findCommit({ kind: 'dataset', id })) !== null;
  }

  private entryOf(id: string): StorageEntry {
    const location = this.storage.pathOf({ kind: 'dataset', id });
    return { platform: this.settings.CATALOG_PLATFORM, location, category: 'master' };
  }
}
