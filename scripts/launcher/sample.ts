import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { laySampleSource } from '../sample-source.ts';
import { CannotStartError } from './cannot-start.error.ts';
import type { CatalogCommand } from './catalog-command.ts';
import type { DataFolder } from './data-folder.ts';
import { importDataset } from './first-import.ts';
import { readSecrets, type SampleKeys } from './kept-secrets.ts';
import { ServiceClient } from './service-client.ts';

/** What the sample needs of the system it is put into. */
export interface SampleSurroundings {
  /** The checkout. */
  readonly root: string;
  readonly folder: DataFolder;
  readonly catalog: CatalogCommand;
  readonly ports: Readonly<Record<'catalog-api' | 'provisioner', number>>;
  readonly environment: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const termCategories = ['disease', 'phenotype', 'study', 'gene'];
const firstDataset = 'RDC-11';

/** Puts the sample into a new system, once. Killed in between, the next start does what is left. */
export class Sample {
  private readonly isDone: boolean;
  private readonly system: SampleSurroundings;

  constructor(system: SampleSurroundings) {
    this.system = system;
    this.isDone = existsSync(this.doneFile);
  }

  /** Lays deliveries and records; the database must be migrated. */
  async prepare(): Promise<void> {
    if (this.isDone) return;
    const { root, folder, catalog, say } = this.system;
    say('Laying the sample deliveries and records ...');
    await laySampleSource(folder.source);
    for (const category of termCategories) {
      await catalog.run('import', 'terms', '--category', category, join(root, `sample/terms/${category}.tsv`));
    }
    await catalog.run('import', 'full', join(root, 'sample/catalog.ndjson'));
  }

  /** Makes the sample's keys and imports one dataset; the services must be running. */
  async finish(): Promise<SampleKeys> {
    const { folder } = this.system;
    if (!this.isDone) {
      await this.importFirstDataset();
      await writeFile(this.doneFile, '');
    }
    const keys = await readSecrets<SampleKeys>(folder.keysFile);
    if (!keys) throw new CannotStartError(`${folder.keysFile} is gone; remove ${folder.path} to start anew.`);
    return keys;
  }

  private get doneFile(): string {
    return this.system.folder.fileOf('run/sample-is-there');
  }

  private async importFirstDataset(): Promise<void> {
    const { ports, environment, signal, say } = this.system;
    say(`Importing the dataset ${firstDataset} ...`);
    const client = new ServiceClient(ports.provisioner, environment['GLOBAL_API_KEY'] ?? '', signal);
    await importDataset(client, firstDataset, signal);
  }
}
