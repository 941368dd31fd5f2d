import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileCheckers } from '../../src/fixity/file-checkers.js';
import { CopyPool } from '../../src/copy/copy-pool.js';
import { RateLimit } from '../../src/copy/process-rate-limit.js';
import { StreamPool } from '../../src/copy/stream-pool.js';
import type { ImportResult } from '../../src/model/import-record.js';
import { ImportRun } from '../../src/import-runs/import-run.js';
import { ImportTools } from '../../src/import-runs/copier.factory.js';
import { ProgressMeter } from '../../src/import-runs/progress-meter.js';
import { Verification, type VerificationReport } from '../../src/import-runs/verification.js';
import { provisionerSettings, type ProvisionerSettings } from '../../src/settings/provisioner.settings.js';
import { DeclarationThreads } from '../../src/source/declarations/declaration-threads.js';
import { SourceIndex } from '../../src/source/source-index.js';
import { PlaceScanner } from '../../src/source/place-scanner.js';
import type { SourceSystem } from '../../src/model/source-system.js';
import { FolderSource } from '../../src/source/folder/folder-source.js';
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
    ...settings,
  });
}

/** The import engine between two folders, without a queue and an HTTP interface. */
export class Engine {
  private readonly pool: CopyPool;
  private readonly streams: StreamPool;
  private readonly tools: ImportTools;
  private readonly checkers: FileCheckers;
  private readonly declarations: DeclarationThreads;

  /**
   * @param root a folder that holds `source` and `storage`
   * @param source another source than that folder
   */
  constructor(
    readonly root: string,
    settings: Record<string, string> = {},
    source: SourceSystem = new FolderSource(join(root, 'source'), settingsOf(root, settings).SOURCE_READY),
  ) {
    const all = settingsOf(root, settings);
    const limit = new RateLimit(all.COPY_RATE_LIMIT);
    this.pool = new CopyPool(all.COPY_THREADS, limit);
    this.streams = new StreamPool(all.COPY_THREADS, limit);
    const storage = new PosixStorage(join(root, 'storage'));
    this.declarations = new DeclarationThreads(all.DECLARED_MEMORY);
    const scanner = new PlaceScanner(source, this.declarations, storage, all);
    this.tools = new ImportTools(scanner, new SourceIndex(source), storage, this.pool, this.streams, all);
    this.checkers = new FileCheckers(this.tools.storage, all);
  }

  /** Imports a dataset. @returns its result, and where it is */
  async import(
    id: string,
    { signal = new AbortController().signal, meter = new ProgressMeter(), token = 'T' } = {},
  ): Promise<ImportResult & { readonly place: string }> {
    await this.tools.storage.probe();
    const request = {
      ...{ id: `IMPORT-${id}`, kind: 'dataset' as const, subject: id, attempt: 1, requested_by: 'test' },
      ...{
        requested_at: new Date().toISOString(),
        requested_from: '127.0.0.1',
        accepted_by: { service: 'test', node: process.version },
      },
    };
    const result = await new ImportRun(this.tools, request, meter, token).run(signal);
    return { ...result, place: join(this.root, 'storage', result.path) };
  }

  /** Reads a dataset again. */
  verify(
    id: string,
    { signal = new AbortController().signal, meter = new ProgressMeter() } = {},
  ): Promise<VerificationReport> {
    const subject = { kind: 'dataset', id } as const;
    return new Verification(this.tools.storage, subject, meter, this.checkers.of(subject)).run(signal);
  }

  async close(): Promise<void> {
    const { pool, streams, checkers, declarations } = this;
    await Promise.all([pool.close(), streams.close(), checkers.close(), declarations.onApplicationShutdown()]);
  }
}
