import type { CommitHead } from '../model/commit.js';
import type { PlaceSummary } from '../model/place-summary.js';

const dayMs = 86_400_000;

/** The scan of a place, and its import if it is imported. */
export interface WalkedState {
  /** See `keyOfPlace`. */
  readonly key: string;
  readonly summary: PlaceSummary | undefined;
  readonly commit: CommitHead | undefined;
}

/** The intervals of background walks in milliseconds. */
export interface WalkIntervals {
  /** The interval at which an imported place is walked again; 0 for never. */
  readonly recheckMs: number;
  /** The shortest time between two walks of a place. */
  readonly leastMs: number;
  /** The start of this process in milliseconds since 1970, from which the walks of imported places are spread that have no summary. */
  readonly startedAt: number;
}

/**
 * Returns the time from which a place is walked in the background, in milliseconds since 1970.
 *
 * - An imported place is walked once in `recheckMs`, at a time that its key determines, so the walks of places that were
 *   imported together are spread over the interval.
 * - A place that has not settled is walked when it may have settled.
 * - Any other place is walked again after half of the time for which it was unchanged, and at least every day.
 */
export function dueAt({ key, summary, commit }: WalkedState, { recheckMs, leastMs, startedAt }: WalkIntervals): number {
  if (commit) {
    if (recheckMs === 0) return Number.POSITIVE_INFINITY;
    const last = summary ? Date.parse(summary.scannedAt) : Math.max(startedAt, Date.parse(commit.imported_at));
    const phase = shareOf(key) * recheckMs;
    return phase + (Math.floor((last - phase) / recheckMs) + 1) * recheckMs;
  }
  if (!summary) return 0;
  const walkedAt = Date.parse(summary.scannedAt);
  const isSettling = summary.readyFrom > walkedAt && Number.isFinite(summary.readyFrom);
  if (isSettling) return Math.max(summary.readyFrom, walkedAt + leastMs);
  return walkedAt + Math.min(dayMs, Math.max(leastMs, (walkedAt - summary.changedAt) / 2));
}

/** Returns a number from 0 to 1 that a text determines. */
function shareOf(text: string): number {
  return hashOf(text) / 2 ** 32;
}

/** Returns a 32-bit hash of a text. It is not cryptographic. */
export function hashOf(text: string): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}
