/**
 * Runs the built import engine in its own process, without the queue and the HTTP interface. Its environment is the
 * provisioner's. It reads lines with `import` or `verify` and the id of a dataset. It answers each line in JSON, with
 * `ImportTimes` or a number of seconds.
 */
import { createInterface } from 'node:readline';
import type * as Threads from '../apps/provisioner/src/copy/copy-pool.js';
import type * as Rates from '../apps/provisioner/src/copy/process-rate-limit.js';
import type * as Streams from '../apps/provisioner/src/copy/stream-pool.js';
import type * as Checkers from '../apps/provisioner/src/fixity/file-checkers.js';
import type * as Copiers from '../apps/provisioner/src/import-runs/copier.factory.js';
import type * as Copies from '../apps/provisioner/src/import-runs/dataset-copies.js';
import type * as Meters from '../apps/provisioner/src/import-runs/progress-meter.js';
import type * as Runs from '../apps/provisioner/src/import-runs/run.factory.js';
import type * as Stores from '../apps/provisioner/src/scan/scan-store.js';
import type * as Access from '../apps/provisioner/src/scan/source-access.js';
import type * as Histories from '../apps/provisioner/src/scan/walk-history.js';
import type * as Settings from '../apps/provisioner/src/settings/provisioner.settings.js';
import type * as Index from '../apps/provisioner/src/source/source-index.js';
import type * as Declared from '../apps/provisioner/src/source/declarations/declaration-threads.js';
import type * as Reports from '../apps/provisioner/src/source/scan-reports.js';
import type * as Scanners from '../apps/provisioner/src/source/place-scanner.js';
import type * as Sources from '../apps/provisioner/src/source/source.module.js';
import type * as Storages from '../apps/provisioner/src/storage/storage.module.js';
import type { ImportTimes } from './copy-stage.ts';

/** The modules of the build, whose decorators are plain JavaScript, with the types of the sources. */
const built = async <T>(module: string): Promise<T> =>
  (await import(new URL(`../apps/provisioner/dist/${module}.js`, import.meta.url).href)) as T;

await import('reflect-metadata');
const { Logger } = await import('@nestjs/common');
const { provisionerSettings } = await built<typeof Settings>('settings/provisioner.settings');
const { openSource } = await built<typeof Sources>('source/source.module');
const { SourceIndex } = await built<typeof Index>('source/source-index');
const { DeclarationThreads } = await built<typeof Declared>('source/declarations/declaration-threads');
const { PlaceScanner } = await built<typeof Scanners>('source/place-scanner');
const { SourceAccess } = await built<typeof Access>('scan/source-access');
const { WalkHistory } = await built<typeof Histories>('scan/walk-history');
const { ScanStore } = await built<typeof Stores>('scan/scan-store');
const { ScanReports } = await built<typeof Reports>('source/scan-reports');
const { openRecords, openStorage } = await built<typeof Storages>('storage/storage.module');
const { CopyPool } = await built<typeof Threads>('copy/copy-pool');
const { RateLimit } = await built<typeof Rates>('copy/process-rate-limit');
const { StreamPool } = await built<typeof Streams>('copy/stream-pool');
const { FileCheckers } = await built<typeof Checkers>('fixity/file-checkers');
const { CopierFactory } = await built<typeof Copiers>('import-runs/copier.factory');
const { DatasetCopies } = await built<typeof Copies>('import-runs/dataset-copies');
const { RunFactory } = await built<typeof Runs>('import-runs/run.factory');
const { ProgressMeter } = await built<typeof Meters>('import-runs/progress-meter');

// The standard output is for answers only.
Logger.overrideLogger(['error', 'fatal']);

const settings = provisionerSettings();
const source = await openSource(settings);
const storage = await openStorage(settings);
const records = await openRecords(settings);
const reports = new ScanReports(records);
const scanner = new PlaceScanner(source, new DeclarationThreads(settings.DECLARED_MEMORY), storage, reports, settings);
const limit = new RateLimit(settings.COPY_RATE_LIMIT);
const copiers = new CopierFactory(
  source,
  new CopyPool(settings.COPY_THREADS, limit),
  new StreamPool(settings.COPY_THREADS, limit),
  settings,
);
const runs = new RunFactory(
  new SourceAccess(new SourceIndex(source), scanner, new WalkHistory(reports, new ScanStore(records))),
  storage,
  new DatasetCopies(copiers, settings),
  new FileCheckers(storage, settings),
  settings,
);

/** A meter that records the time at which the import entered each phase. */
function timedMeter(): { readonly meter: InstanceType<typeof ProgressMeter>; readonly begun: Record<string, number> } {
  const meter = new ProgressMeter();
  const begun: Record<string, number> = {};
  let current = meter.phase;
  Object.defineProperty(meter, 'phase', {
    get: () => current,
    set: (next: typeof current) => {
      current = next;
      begun[next] = performance.now();
    },
  });
  return { meter, begun };
}

async function importDataset(id: string): Promise<ImportTimes> {
  const { meter, begun } = timedMeter();
  const request = {
    ...({ id: `IMPORT-${id}`, kind: 'dataset', subject: { kind: 'dataset', id }, attempt: 1 } as const),
    ...{ requested_by: 'bench', requested_at: new Date().toISOString(), requested_from: '127.0.0.1' },
    accepted_by: { service: 'bench', node: process.version },
  };
  await storage.probe();
  const run = runs.createImport(request, meter, 'bench');
  const start = performance.now();
  const { files, bytes } = await run.run(new AbortController().signal);
  const end = performance.now();
  const { copying = start, checking = end } = begun;
  return { files, bytes, copySeconds: (checking - copying) / 1000, wholeSeconds: (end - start) / 1000 };
}

async function verifyDataset(id: string): Promise<number> {
  const check = runs.createVerification({ kind: 'dataset', id }, new ProgressMeter());
  const start = performance.now();
  const { failures } = await check.run(new AbortController().signal);
  if (failures.count > 0) throw new Error(failures.named[0]?.message);
  return (performance.now() - start) / 1000;
}

for await (const line of createInterface({ input: process.stdin })) {
  const [what, id = ''] = line.split(' ');
  const answer = await (what === 'verify' ? verifyDataset(id) : importDataset(id));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
