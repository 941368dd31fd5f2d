import { tracing, type Facts, type OpenSpan } from '@rdc/telemetry';
import type { ImportProgress } from '../model/import-record.js';

/** One span for each phase of an import, below that of its job; none for a file. */
export class PhaseSpans {
  private span: OpenSpan;

  constructor(phase: ImportProgress['phase']) {
    this.span = tracing.begin(phase, 'internal');
  }

  /** Another phase begins. @param facts how far the import is */
  enter(phase: ImportProgress['phase'], facts: Facts): void {
    this.end(facts);
    this.span = tracing.begin(phase, 'internal');
  }

  end(facts: Facts): void {
    this.span.end(facts);
  }
}
