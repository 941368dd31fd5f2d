import { type ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { ScanResult } from './place-scan.js';

/** Settings that define when a delivery is complete. */
export type ReadinessRules = Pick<ProvisionerSettings, 'SOURCE_SETTLE' | 'SOURCE_READY_ONLY_MARKER'>;

/** Returns the message for a delivery that is not complete. @param marker the setting `SOURCE_READY` */
export function incompleteText(id: string, marker: string): string {
  return `${id} is not complete yet: create the marker file ${marker}, or wait until the delivery no longer changes.`;
}

/** The part of a scan that shows whether the delivery is complete. */
export type ReadinessState = Pick<ScanResult, 'isCompleteBag' | 'changedAt'>;

/**
 * Returns the time from which an unchanged delivery counts as complete, in milliseconds since 1970. A marked delivery and
 * a complete bag are complete at once, any other after `SOURCE_SETTLE` if it is not 0, or never (`Infinity`) if only a
 * marker counts.
 */
export function readyFrom(isMarked: boolean, scan: ReadinessState, rules: ReadinessRules): number {
  if (isMarked) return 0;
  if (rules.SOURCE_READY_ONLY_MARKER) return Number.POSITIVE_INFINITY;
  // With no time to settle, a clock that is slower than the source's clock must not delay the import.
  if (scan.isCompleteBag || rules.SOURCE_SETTLE === 0) return 0;
  return scan.changedAt + rules.SOURCE_SETTLE * 1000;
}
