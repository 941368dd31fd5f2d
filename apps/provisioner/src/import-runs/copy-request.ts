import type { ImportRequest } from '../model/import-record.js';
import type { SourcePlace } from '../model/source-system.js';
import type { ScanResult } from '../source/place-scan.js';
import type { ProgressMeter } from './progress-meter.js';

/** The delivery to copy, and the meter of its progress. */
export interface CopyRequest {
  readonly request: ImportRequest;
  readonly place: SourcePlace;
  readonly scan: ScanResult;
  readonly meter: ProgressMeter;
}
