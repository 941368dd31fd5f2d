import type { ProblemCode } from './problem.js';
import type { SourcePlace } from './source-system.js';

/** A scanned place in lists. Every place of the source has a summary in memory, so its size has a limit. */
export interface PlaceSummary {
  readonly files: number;
  readonly bytes: number;
  /** The latest modification of any entry, in milliseconds since 1970; null if the place is empty. */
  readonly modifiedAt: number | null;
  /** The latest change of any entry, its arrival included, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly fingerprint: string;
  /** See `ScanResult.rejectionKey`. */
  readonly rejectionKey: string;
  readonly title: string | null;
  /** Algorithms of the declared checksums. */
  readonly checksums: readonly string[];
  /** Codes of the problems for which the place is refused, each once. */
  readonly problems: readonly ProblemCode[];
  /** Codes of the problems that do not refuse the place, each once. */
  readonly warnings: readonly ProblemCode[];
  /** The time from which the place counts as complete, in milliseconds since 1970; `Infinity` if only a marker counts. */
  readonly readyFrom: number;
  /** The start of the first of the latest walks that found this fingerprint, ISO 8601. */
  readonly unchangedSince: string;
  /** The start of the walk, ISO 8601. A change before this time is in the summary. */
  readonly scannedAt: string;
  /** See `SourceSystem.topOf`, before the walk. */
  readonly top: string;
}

/** Returns the key of a place in a scan. */
export function keyOfPlace({ kind, submission, id }: SourcePlace): string {
  return `${kind}/${submission}/${id}`;
}

/** Whether an imported dataset differs from the scan of its place. A scan that began before the import shows nothing. */
export function hasChangedSince(
  commit: { readonly imported_at: string; readonly fingerprint: string },
  summary: PlaceSummary | undefined,
): boolean {
  return summary !== undefined && summary.scannedAt > commit.imported_at && summary.fingerprint !== commit.fingerprint;
}
