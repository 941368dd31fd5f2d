import { type ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { PlaceSummary } from '../model/place-summary.js';
import type { ScanResult } from './place-scan.js';

/** Settings that define when a delivery is complete. */
export type ReadinessRules = Pick<ProvisionerSettings, 'SOURCE_SETTLE' | 'SOURCE_READY_ONLY_MARKER'>;

/** Returns the message for a delivery that is not complete. @param marker the setting `SOURCE_READY` */
export function incompleteText(id: string, marker: string): string {
  return `${id} is not complete yet: create the marker file ${marker}, or wait until the delivery no longer changes.`;
}

/** The part of a walk that shows whether the delivery is complete. */
export type ReadinessState = Pick<ScanResult, 'isCompleteBag' | 'changedAt'> &
  Pick<PlaceSummary, 'scannedAt' | 'unchangedSince'>;

/** The age from which the times of the source are true even if its clock is slow, in milliseconds. */
const trustedAgeMs = 86_400_000;

/**
 * Returns the time from which an unchanged delivery counts as complete, in milliseconds since 1970. A marked delivery and
 * a complete bag are complete at once. If only a marker counts, any other delivery is never complete (`Infinity`).
 * Otherwise, nothing may have changed for `SOURCE_SETTLE`: by the times of the source, and, if the latest change is younger
 * than a day, by two equal walks too, because the clock of the source may be slow.
 */
export function readyFrom(isMarked: boolean, scan: ReadinessState, rules: ReadinessRules): number {
  if (isMarked) return 0;
  if (rules.SOURCE_READY_ONLY_MARKER) return Number.POSITIVE_INFINITY;
  // With no time to settle, a clock that is slower than the source's clock must not delay the import.
  if (scan.isCompleteBag || rules.SOURCE_SETTLE === 0) return 0;
  const [walkedAt, unchangedFrom] = [Date.parse(scan.scannedAt), Date.parse(scan.unchangedSince)];
  const isTrusted = walkedAt - scan.changedAt > trustedAgeMs;
  return Math.max(scan.changedAt, isTrusted ? 0 : unchangedFrom) + rules.SOURCE_SETTLE * 1000;
}
