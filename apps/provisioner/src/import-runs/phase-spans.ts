import { tracing, type Facts, type OpenSpan } from '@rdc/telemetry';
import type { ImportProgress } from '../model/import-record.js';

/** The spans of the phases of an import, below the span of its job. Files have no spans. */
export class PhaseSpans {
  private span: OpenSpan;

  constructor(phase: ImportProgress['phase']) {
    this.span = tracing.begin(phase, 'internal');
  }

  /** Ends the current span with facts and starts the span of another phase. */
  enter(phase: ImportProgress['phase'], facts: Facts): void {
    this.end(facts);
    this.span = tracing.begin(phase, 'internal');
  }

  end(facts: Facts): void {
    this.span.end(facts);
  }
}
