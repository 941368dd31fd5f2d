import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileCheckers } from '../../src/fixity/file-checkers.js';
import { CopyPool } from '../../src/copy/copy-pool.js';
import { RateLimit } from '../../src/copy/process-rate-limit.js';
import { StreamPool } from '../../src/copy/stream-pool.js';
import { ImportFailure } from '../../src/model/failure.js';
import type { ImportResult } from '../../src/model/import-record.js';
import { CopierFactory } from '../../src/import-runs/copier.factory.js';
import { DatasetCopies } from '../../src/import-runs/dataset-copies.js';
import { RunFactory } from '../../src/import-runs/run.factory.js';
import { ProgressMeter } from '../../src/import-runs/progress-meter.js';
import type { VerificationReport } from '../../src/import-runs/verification.js';
import { provisionerSettings, type ProvisionerSettings } from '../../src/settings/provisioner.settings.js';
import { DeclarationThreads } from '../../src/source/declarations/declaration-threads.js';
import { SourceIndex } from '../../src/source/source-index.js';
import { PlaceScanner } from '../../src/source/place-scanner.js';
import type { SourceSystem } from '../../src/model/source-system.js';
import { FolderSource } from '../../src/source/folder/folder-source.js';
import { PosixRecords } from '../../src/storage/posix/posix-records.js';
import { ScanStore } from '../../src/scan/scan-store.js';
import { SourceAccess } from '../../src/scan/source-access.js';
import { WalkHistory } from '../../src/scan/walk-history.js';
import { ScanReports } from '../../src/source/scan-reports.js';
import { PosixStorage } from '../../src/storage/posix/posix-storage.js';
import { globalKey } from './system.js';

/** Settings of a provisioner between two folders. */
export function settingsOf(root: string, settings: Record<string, string> = {}): ProvisionerSettings {
  return provisionerSettings({
    SOURCE_URL: pathToFileURL(join(root, 'source')).href,
    STORAGE_URL: pathToFileURL(join(root, 'storage')).href,
    QUEUE_URL: 'postgres://unused',
    GLOBAL_API_KEY: globalKey,
    COPY_THREADS: '2',
    SOURCE_SETTLE: '0',
    ...settings,
  });
}

/** The import engine between two folders, without a queue and an HTTP interface. */
export class Engine {
  private readonly pool: CopyPool;
  private readonly runs: RunFactory;
  private readonly storage: PosixStorage;
  private readonly checkers: FileCheckers;
  private readonly declarations: DeclarationThreads;

  /**
   * @param root a folder with the folders `source` and `storage`
   * @param source a source to use instead of the folder
   */
  constructor(
    readonly root: string,
    settings: Record<string, string> = {},
    source: SourceSystem = new FolderSource(join(root, 'source'), settingsOf(root, settings).SOURCE_READY),
  ) {
    const all = settingsOf(root, settings);
    const limit = new RateLimit(all.COPY_RATE_LIMIT);
    this.pool = new CopyPool(all.COPY_THREADS, limit);
    this.storage = new PosixStorage(join(root, 'storage'));
    this.declarations = new DeclarationThreads(all.DECLARED_MEMORY);
    const records = new PosixRecords(join(root, 'storage'));
    const reports = new ScanReports(records);
    const scanner = new PlaceScanner(source, this.declarations, this.storage, reports, all);
    const copiers = new CopierFactory(source, this.pool, new StreamPool(all.COPY_THREADS, limit), all);
    this.checkers = new FileCheckers(this.storage, all);
    this.runs = new RunFactory(
      new SourceAccess(new SourceIndex(source), scanner, new WalkHistory(reports, new ScanStore(records))),
      this.storage,
      new DatasetCopies(copiers, all),
      this.checkers,
      all,
    );
  }

  /** Imports a dataset. @returns its result and its published folder */
  async import(
    id: string,
    { signal = new AbortController().signal, meter = new ProgressMeter(), token = 'T' } = {},
  ): Promise<ImportResult & { readonly folder: string }> {
    await this.storage.probe();
    const request = {
      ...({ id: `IMPORT-${id}`, kind: 'dataset', subject: { kind: 'dataset', id }, attempt: 1 } as const),
      ...{ requested_by: 'test', requested_at: new Date().toISOString(), requested_from: '127.0.0.1' },
      accepted_by: { service: 'test', node: process.version },
    };
    const result = await this.runs.createImport(request, meter, token).run(signal);
    return { ...result, folder: join(this.root, 'storage', result.path) };
  }

  /** Imports a dataset that may be refused. @returns the failure, or null if the dataset was imported */
  async failureOf(id: string): Promise<ImportFailure | null> {
    try {
      await this.import(id);
      return null;
    } catch (error) {
      if (error instanceof ImportFailure) return error;
      throw error;
    }
  }

  /** Imports a dataset. @returns false if its delivery was rejected @throws ImportFailure for any other reason */
  async isImported(id: string): Promise<boolean> {
    const failure = await this.failureOf(id);
    if (failure && failure.disposition !== 'reject') throw failure;
    return failure === null;
  }

  /** Verifies a dataset. */
  verify(
    id: string,
    { signal = new AbortController().signal, meter = new ProgressMeter() } = {},
  ): Promise<VerificationReport> {
    return this.runs.createVerification({ kind: 'dataset', id }, meter).run(signal);
  }

  async close(): Promise<void> {
    const { pool, checkers, declarations } = this;
    await Promise.all([pool.close(), checkers.close(), declarations.onApplicationShutdown()]);
  }
}
