import { type ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { ScanResult } from './place-scan.js';

/** What decides whether a delivery is complete (provisioner interface, section 6). */
export type ReadinessRules = Pick<ProvisionerSettings, 'SOURCE_SETTLE' | 'SOURCE_READY_ONLY_MARKER'>;

/**
 * From when on a delivery counts as complete, should nothing change, in milliseconds since 1970: at once when it is
 * marked or a bag with all that it lists, else when nothing was changed for a while; `Infinity` where only a marker counts.
 */
export function readyFrom(
  isMarked: boolean,
  scan: Pick<ScanResult, 'isCompleteBag' | 'changedAt'>,
  rules: ReadinessRules,
): number {
  if (isMarked) return 0;
  if (rules.SOURCE_READY_ONLY_MARKER) return Number.POSITIVE_INFINITY;
  return scan.isCompleteBag ? 0 : scan.changedAt + rules.SOURCE_SETTLE * 1000;
}
