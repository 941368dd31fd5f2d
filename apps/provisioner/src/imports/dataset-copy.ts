import type { CopyOrder, CopyOutcome } from '../copy/copy-messages.js';
import type { Copier } from '../copy/copier.js';
import type { SourceEntry, SourcePlace, SourceSystem } from '../source/source-system.js';
import type { Survey } from '../source/survey.js';
import type { FileRecord } from '../storage/commit.js';
import type { Attempt, FinishedFile } from '../storage/storage.js';
import { codeOfErrno, ImportFailure, type FileFailure } from './failure.js';
import type { ProgressMeter } from './progress-meter.js';

/** A batch is full with so many files or bytes; a larger file is a batch of its own. */
const filesPerBatch = 128;
const bytesPerBatch = 8 * 1024 * 1024;

/** Batches whose outcomes may be outstanding for each that the threads can hold: a large file does not hold up the rest. */
const windowPerCapacity = 8;

/** An entry and the copy it needs; folders and finished files need none. */
interface Step {
  readonly entry: SourceEntry;
  readonly finished: FinishedFile | undefined;
}

/**
 * Copies every file of a place into an attempt, in the order of the walk, and lists what it copied.
 *
 * Files that an earlier attempt finished are listed without being copied again. Every file that differs from what the
 * source declares is found, not only the first; a failure of the storage stops at once.
 */
export class DatasetCopy {
  private readonly failures: FileFailure[] = [];
  private readonly outstanding: Promise<() => Promise<void>>[] = [];
  private steps: Step[] = [];
  private bytes = 0;

  constructor(
    private readonly source: SourceSystem,
    private readonly place: SourcePlace,
    private readonly survey: Survey,
    private readonly attempt: Attempt,
    private readonly copier: Copier,
    private readonly meter: ProgressMeter,
  ) {}

  /** @throws ImportFailure with every offending file, or the reason of the signal */
  async run(signal: AbortSignal): Promise<void> {
    const finished = await this.attempt.finished();
    try {
      for await (const { entry } of this.source.walk(this.place)) {
        signal.throwIfAborted();
        if (entry) await this.add({ entry, finished: stillValid(finished.get(entry.path), entry) });
      }
      await this.dispatch();
      while (this.outstanding.length > 0) await this.settleOldest();
    } catch (error) {
      this.meter.abort();
      await Promise.allSettled(this.outstanding);
      signal.throwIfAborted();
      throw error;
    }
    signal.throwIfAborted();
    const [first] = this.failures;
    if (first) throw new ImportFailure(first.code, sentenceOf(this.failures), this.failures);
  }

  private async add(step: Step): Promise<void> {
    const { size } = step.entry;
    if (this.bytes + size > bytesPerBatch) await this.dispatch();
    this.steps.push(step);
    this.bytes += size;
    if (this.steps.length >= filesPerBatch || this.bytes > bytesPerBatch) await this.dispatch();
  }

  private async dispatch(): Promise<void> {
    const steps = this.steps;
    if (steps.length === 0) return;
    this.steps = [];
    this.bytes = 0;
    if (this.outstanding.length >= this.copier.capacity * windowPerCapacity) await this.settleOldest();
    const copying = this.copy(steps);
    copying.catch(() => undefined);
    this.outstanding.push(copying);
  }

  private async settleOldest(): Promise<void> {
    const settle = await this.outstanding.shift();
    await settle?.();
  }

  /** Copies what of the steps needs copying; what it resolves to lists them, once it is their turn. */
  private async copy(steps: readonly Step[]): Promise<() => Promise<void>> {
    const orders = steps
      .filter(({ entry, finished }) => entry.type === 'file' && !finished)
      .map(({ entry }) => this.orderOf(entry));
    for (const { path } of orders) this.meter.begin(path);
    const outcomes = orders.length > 0 ? await this.copyOrders(orders) : [];
    for (const { path } of orders) this.meter.end(path);
    const digests = new Map(outcomes.flatMap((each) => (each.digests ? [[each.path, each.digests] as const] : [])));
    await this.attempt.noteFinished(
      steps.flatMap(({ entry }) => {
        const made = digests.get(entry.path);
        return made ? [finishedFile(entry, made)] : [];
      }),
    );
    this.meter.filesDone += digests.size;
    return () => this.list(steps, digests);
  }

  private async copyOrders(orders: readonly CopyOrder[]): Promise<readonly CopyOutcome[]> {
    const outcomes = await this.copier.copy(orders, this.meter.counters);
    for (const { path, failure } of outcomes) {
      if (!failure || failure.side === 'aborted') continue;
      const code = failure.side === 'changed' ? 'source.changed' : codeOfErrno(failure.errno, failure.side);
      const problem = { code, path, message: failure.message };
      if (failure.side === 'storage') throw new ImportFailure(code, problem.message, [problem]);
      this.failures.push(problem);
    }
    return outcomes;
  }

  private async list(
    steps: readonly Step[],
    copied: ReadonlyMap<string, Readonly<Record<string, string>>>,
  ): Promise<void> {
    const records: FileRecord[] = [];
    for (const { entry, finished } of steps) {
      const digests = finished?.digests ?? copied.get(entry.path) ?? {};
      if (finished) {
        this.meter.filesDone += 1;
        this.meter.bytesResumed += entry.size;
      }
      const declared = this.survey.declarations.files.get(entry.path)?.checksums ?? {};
      if (entry.type === 'file' && digests['sha256']) this.compare(entry.path, declared, digests);
      records.push(recordOf(entry, digests['sha256'], declared));
    }
    await this.attempt.list(records);
  }

  private compare(path: string, declared: Record<string, string>, digests: Readonly<Record<string, string>>): void {
    for (const [algorithm, wanted] of Object.entries(declared)) {
      const found = digests[algorithm];
      if (found === wanted) continue;
      const message = `${path} has ${algorithm} ${String(found)}; declared is ${wanted}.`;
      this.failures.push({ code: 'checksum.mismatch', path, message });
    }
  }

  private orderOf({ path, size, mtimeNs, version }: SourceEntry): CopyOrder {
    const declared = this.survey.declarations.files.get(path)?.checksums ?? {};
    return { path, size, mtimeNs, version, algorithms: Object.keys(declared) };
  }
}

/** What an earlier attempt finished counts only while the source's file is the same. */
function stillValid(finished: FinishedFile | undefined, entry: SourceEntry): FinishedFile | undefined {
  return finished?.size === entry.size && finished.version === entry.version ? finished : undefined;
}

function finishedFile(entry: SourceEntry, digests: Readonly<Record<string, string>>): FinishedFile {
  const { path, size, version } = entry;
  return { path, size, version, digests };
}

function recordOf(entry: SourceEntry, sha256: string | undefined, declared: Record<string, string>): FileRecord {
  return {
    path: entry.path,
    type: entry.type,
    size: entry.size,
    mtime_ns: String(entry.mtimeNs),
    source_mode: entry.mode.toString(8).padStart(4, '0'),
    ...(sha256 && { sha256 }),
    ...(Object.keys(declared).length > 0 && { declared }),
  };
}

/** One sentence for one or many offending files. */
export function sentenceOf(failures: readonly { readonly message: string }[]): string {
  const [first] = failures;
  const more = failures.length - 1;
  return `${first?.message ?? ''}${more > 0 ? ` ${String(more)} more like this are listed with the import's files.` : ''}`;
}
