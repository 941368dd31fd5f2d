import { type ProvisionerSettings } from '../settings.js';
import type { Survey } from './survey.js';

/** What decides whether a delivery is complete (provisioner interface, section 6). */
export type ReadinessRules = Pick<ProvisionerSettings, 'SOURCE_SETTLE' | 'SOURCE_READY_ONLY_MARKER'>;

/** Whether a delivery is complete: marked, or a bag with all that it lists, or unchanged for a while. */
export function isReady(
  isMarked: boolean,
  survey: Pick<Survey, 'isCompleteBag' | 'changedAt'>,
  rules: ReadinessRules,
  now = Date.now(),
): boolean {
  if (isMarked) return true;
  if (rules.SOURCE_READY_ONLY_MARKER) return false;
  return survey.isCompleteBag || now - survey.changedAt >= rules.SOURCE_SETTLE * 1000;
}
