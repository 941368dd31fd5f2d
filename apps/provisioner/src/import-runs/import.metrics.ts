import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import { Counter, Histogram, Registry } from 'prom-client';
import { counterIndex } from '../copy/copy-messages.js';
import type { FailureCode } from '../model/failure.js';
import { endedStates, importKinds, type EndedState, type ImportKind } from '../model/import-record.js';
import type { ProgressMeter } from './progress-meter.js';

/** From an import of a few files to one of many terabytes, in seconds. */
const buckets = [1, 10, 60, 600, 3600, 6 * 3600, 24 * 3600, 7 * 24 * 3600];

/** What the imports of this worker do, while they do it. */
@Injectable()
export class ImportMetrics {
  private readonly running = new Map<ProgressMeter, { bytes: number; files: number }>();
  private readonly bytes: Counter;
  private readonly files: Counter;
  private readonly ended: Counter<'kind' | 'result'>;
  private readonly failures: Counter<'code'>;
  private readonly durations: Histogram<'kind'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const collect = (): void => {
      for (const meter of this.running.keys()) this.take(meter);
    };
    this.bytes = new Counter({
      ...{
        name: 'provisioner_import_bytes_total',
        help: 'Bytes that imports and checks have read.',
        registers,
        collect,
      },
    });
    this.files = new Counter({
      ...{
        name: 'provisioner_import_files_total',
        help: 'Files that imports and checks have done.',
        registers,
        collect,
      },
    });
    this.ended = new Counter({
      ...{ name: 'provisioner_imports_total', help: 'Imports ended, by kind and result.', registers },
      labelNames: ['kind', 'result'],
    });
    this.failures = new Counter({
      ...{ name: 'provisioner_import_failures_total', help: 'Tries that did not finish, by code.', registers },
      labelNames: ['code'],
    });
    this.durations = new Histogram({
      ...{ name: 'provisioner_import_duration_seconds', help: 'From the first start to the end.', registers, buckets },
      labelNames: ['kind'],
    });
    for (const kind of importKinds) for (const result of endedStates) this.ended.inc({ kind, result }, 0);
    this.addReadings(registry);
  }

  /** Counts what a meter says, until `leave`. */
  track(meter: ProgressMeter): void {
    this.running.set(meter, { bytes: 0, files: 0 });
  }

  untrack(meter: ProgressMeter): void {
    this.take(meter);
    this.running.delete(meter);
  }

  countFailure(code: FailureCode): void {
    this.failures.inc({ code });
  }

  countEnd(kind: ImportKind, result: EndedState, startedAt: string): void {
    this.ended.inc({ kind, result });
    this.durations.observe({ kind }, Math.max(0, Date.now() - Date.parse(startedAt)) / 1000);
  }

  private addReadings(registry: Registry): void {
    addReading(registry, {
      name: 'provisioner_imports_running',
      help: 'Imports that this worker runs now.',
      read: () => Promise.resolve(this.running.size),
    });
    addReading(registry, {
      name: 'provisioner_copy_bytes_per_second',
      help: 'Speed of all imports that run now, averaged over some seconds.',
      read: () => Promise.resolve([...this.running.keys()].reduce((sum, meter) => sum + meter.bytesPerSecond, 0)),
    });
  }

  private take(meter: ProgressMeter): void {
    const taken = this.running.get(meter);
    if (!taken) return;
    const bytes = Number(Atomics.load(meter.counters, counterIndex.bytes));
    this.bytes.inc(Math.max(0, bytes - taken.bytes));
    this.files.inc(Math.max(0, meter.filesDone - taken.files));
    this.running.set(meter, { bytes, files: meter.filesDone });
  }
}
