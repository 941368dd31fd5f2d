import { Injectable } from '@nestjs/common';
import { addReading } from '@rdc/http';
import { Counter, Histogram, Registry } from 'prom-client';
import { counterIndex } from '../copy/copy-messages.js';
import type { FailureCode } from '../model/failure-code.js';
import { endedStates, importKinds, type EndedState, type ImportKind } from '../model/import-record.js';
import type { ProgressMeter } from './progress-meter.js';

/** Durations in seconds, from imports of a few files to imports of many terabytes. */
const buckets = [1, 10, 60, 600, 3600, 6 * 3600, 24 * 3600, 7 * 24 * 3600];

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
      for (const meter of this.running.keys()) this.count(meter);
    };
    const bytes = { name: 'provisioner_import_bytes_total', help: 'Bytes read by imports and verifications.' };
    this.bytes = new Counter({ ...bytes, registers, collect });
    const files = { name: 'provisioner_import_files_total', help: 'Files finished by imports and verifications.' };
    this.files = new Counter({ ...files, registers, collect });
    const ended = { name: 'provisioner_imports_total', help: 'Ended imports by kind and result.' };
    this.ended = new Counter({ ...ended, registers, labelNames: ['kind', 'result'] });
    const failures = {
      name: 'provisioner_import_failures_total',
      help: 'Failures of imports by code, including failures that are retried.',
    };
    this.failures = new Counter({ ...failures, registers, labelNames: ['code'] });
    const durations = {
      name: 'provisioner_import_duration_seconds',
      help: 'Time from the first start to the end of an import.',
    };
    this.durations = new Histogram({ ...durations, registers, buckets, labelNames: ['kind'] });
    for (const kind of importKinds) for (const result of endedStates) this.ended.inc({ kind, result }, 0);
    this.addReadings(registry);
  }

  /** Counts the progress of a meter, until `untrack`. */
  track(meter: ProgressMeter): void {
    this.running.set(meter, { bytes: 0, files: 0 });
  }

  untrack(meter: ProgressMeter): void {
    this.count(meter);
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
      help: 'Imports that run in this worker.',
      read: () => Promise.resolve(this.running.size),
    });
    addReading(registry, {
      name: 'provisioner_copy_bytes_per_second',
      help: 'Speed of all running imports, averaged over some seconds.',
      read: () => Promise.resolve([...this.running.keys()].reduce((sum, meter) => sum + meter.bytesPerSecond, 0)),
    });
  }

  private count(meter: ProgressMeter): void {
    const counted = this.running.get(meter);
    if (!counted) return;
    const bytes = Number(Atomics.load(meter.counters, counterIndex.bytes));
    this.bytes.inc(Math.max(0, bytes - counted.bytes));
    this.files.inc(Math.max(0, meter.filesDone - counted.files));
    this.running.set(meter, { bytes, files: meter.filesDone });
  }
}
