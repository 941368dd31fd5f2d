import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import type { Copier } from '../copy/copier.js';
import type { FileFailure } from '../model/failure-code.js';
import type { Problem } from '../model/problem.js';
import { ProblemList } from '../model/problem-list.js';
import type { ScanResult } from '../source/place-scan.js';
import { batchesOf, type Batch } from './batches.js';
import { failuresOf, orderOf } from './file-outcome.js';
import type { ProgressMeter } from './progress-meter.js';

/**
 * The check of a delivery whose scan found problems. It reads every file with a declared checksum once and writes
 * nothing, so that one report contains the wrong checksums in addition to the problems of the scan.
 */
export class DeliveryCheck {
  private readonly problems = new ProblemList<Problem | FileFailure>();
  /** The files of another size than declared. Their checksums differ too, so they are not read. */
  private readonly resized: ReadonlySet<string | undefined>;

  /** @param reader reads files without a copy */
  constructor(
    private readonly scan: ScanResult,
    private readonly reader: Copier,
    private readonly meter: ProgressMeter,
  ) {
    const { named } = scan.problems;
    this.resized = new Set(named.filter(({ code }) => code === 'size.mismatch').map(({ path }) => path));
  }

  /** @returns all problems of the delivery @throws the reason of the signal if it is aborted */
  async run(signal: AbortSignal): Promise<ProblemList<Problem | FileFailure>> {
    const { declarations, entries, problems } = this.scan;
    this.problems.addAll(problems);
    if (declarations.algorithms.length === 0) return this.problems;
    this.meter.phase = 'checking';
    this.meter.filesTotal = declarations.compared;
    this.meter.bytesTotal = null;
    await forEachConcurrently(batchesOf(entries.read()), this.reader.capacity, (batch) => this.check(batch, signal));
    signal.throwIfAborted();
    return this.problems;
  }

  private async check({ files }: Batch, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const checksums = await this.scan.declarations.checksums.of(files.map(({ path }) => path));
    const declared = files
      .map((file, index) => ({ file, checksums: checksums[index] ?? {} }))
      .filter((each) => Object.keys(each.checksums).length > 0 && !this.resized.has(each.file.path));
    const group = { files: declared.map(({ file }) => file) };
    const orders = declared.map((each) => orderOf(each.file, each.checksums));
    this.meter.begin(group);
    const outcomes = await this.reader.copy(orders, this.meter.counters);
    this.meter.end(group);
    this.meter.filesDone += declared.length;
    for (const [index, each] of declared.entries())
      for (const failure of failuresOf(each.file, outcomes[index], each.checksums)) this.problems.add(failure);
  }
}
