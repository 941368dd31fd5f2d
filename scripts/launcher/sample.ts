import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { laySampleSource } from '../sample-source.ts';
import { CannotStartError } from './cannot-start.error.ts';
import type { CatalogCommand } from './catalog-command.ts';
import type { DataFolder } from './data-folder.ts';
import { importDataset } from './first-import.ts';
import { readSecrets, writeSecrets, type SampleKeys } from './kept-secrets.ts';
import { ServiceClient } from './service-client.ts';

/** The system into which the sample is loaded. */
export interface SampleSurroundings {
  /** Absolute path of the checkout. */
  readonly root: string;
  readonly folder: DataFolder;
  readonly catalog: CatalogCommand;
  readonly ports: Readonly<Record<'catalog-api' | 'provisioner', number>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const termCategories = ['disease', 'phenotype', 'study', 'gene'];
const custodian = 'ines.weber@example.org';
const endpoint = 'Research Data Portal';
const project = 'RDC_1';
const firstDataset = 'RDC_11';

/**
 * Loads the sample into a new system, once. After an interruption, the next start completes the remaining steps. A
 * source or a catalog with other data is not changed.
 */
export class Sample {
  /** Whether an earlier start completed the sample. */
  readonly isDone: boolean;
  private readonly system: SampleSurroundings;

  constructor(system: SampleSurroundings) {
    this.system = system;
    this.isDone = existsSync(this.doneFile);
  }

  /** Writes the sample deliveries if the source is the system's own folder. */
  async layDeliveries(): Promise<void> {
    const { folder, environment, say } = this.system;
    if (this.isDone || this.isRestored || environment['SOURCE_URL'] !== folder.sourceUrl) return;
    say('Writing the sample deliveries ...');
    await laySampleSource(folder.source);
  }

  /**
   * Fills an empty catalog, from the backup in `RESTORE_FROM` if it is set. Must run before the services start, because the
   * catalog service creates an administrator.
   *
   * @throws CannotStartError if `RESTORE_FROM` is set and the catalog is not empty
   */
  async fillCatalog(): Promise<void> {
    const { root, folder, catalog, environment, say } = this.system;
    const backup = environment['RESTORE_FROM']?.trim();
    if (backup !== undefined && backup !== '') {
      if (!(await this.isCatalogEmpty())) {
        throw new CannotStartError(
          `A backup is restored into an empty catalog, but ${folder.path} has one: name a new folder in DATA_DIR, or remove RESTORE_FROM.`,
        );
      }
      say(`Restoring the catalog from ${backup} ...`);
      await catalog.run('import', 'full', resolve(backup));
    }
    if (this.isDone || !(await this.isCatalogEmpty())) return;
    say('Filling the catalog with the sample ...');
    await catalog.run('import', 'full', join(root, 'sample/catalog.ndjson'));
  }

  /** Loads terms, creates the sample's keys and imports one dataset. The services must be running. */
  async finish(): Promise<SampleKeys> {
    if (this.isRestored) await writeFile(this.doneFile, '');
    else if (!this.isDone) {
      if (await this.isCatalogOurs()) {
        await this.loadTerms();
        await this.makeKeys();
      }
      await this.importFirstDataset();
      await writeFile(this.doneFile, '');
    }
    return this.keys();
  }

  /** Whether this start restores a backup, to which nothing of the sample is added. */
  private get isRestored(): boolean {
    return Boolean(this.system.environment['RESTORE_FROM']?.trim());
  }

  private get doneFile(): string {
    return this.system.folder.fileOf('run/sample-is-there');
  }

  private async isCatalogEmpty(): Promise<boolean> {
    const database = new Client({ connectionString: this.system.environment['DATABASE_URL'] });
    await database.connect();
    try {
      const question = 'SELECT EXISTS (SELECT FROM projects) OR EXISTS (SELECT FROM users) AS filled';
      const { rows } = await database.query<{ filled: boolean }>(question);
      return rows[0]?.filled === false;
    } finally {
      await database.end();
    }
  }

  private async isCatalogOurs(): Promise<boolean> {
    const found = await this.client('catalog-api').get<{ items: unknown[] }>(`/api/projects?project_id=${project}`);
    return found.items.length === 1;
  }

  private async loadTerms(): Promise<void> {
    const { root, catalog } = this.system;
    for (const category of termCategories) {
      await catalog.run('import', 'terms', '--category', category, join(root, `sample/terms/${category}.tsv`));
    }
  }

  private async makeKeys(): Promise<void> {
    const { catalog, folder } = this.system;
    const user = await catalog.run('key', 'user', custodian);
    await writeSecrets(folder.keysFile, {
      ...(await this.keys()),
      user,
      endpoint: await catalog.run('key', 'endpoint', endpoint),
    });
  }

  private async importFirstDataset(): Promise<void> {
    const { folder, environment, signal, say } = this.system;
    const isOurs = environment['SOURCE_URL'] === folder.sourceUrl && environment['STORAGE_URL'] === folder.storageUrl;
    if (!isOurs) return;
    say(`Importing the dataset ${firstDataset} ...`);
    await importDataset(this.client('provisioner'), firstDataset, signal);
  }

  private client(service: 'catalog-api' | 'provisioner'): ServiceClient {
    const { ports, environment, signal } = this.system;
    return new ServiceClient(ports[service], environment['GLOBAL_API_KEY'] ?? '', signal);
  }

  private async keys(): Promise<SampleKeys> {
    const { folder } = this.system;
    const keys = await readSecrets<SampleKeys>(folder.keysFile);
    if (!keys) {
      throw new CannotStartError(`${folder.keysFile} is missing. To start from scratch, remove ${folder.path}.`);
    }
    return keys;
  }
}
