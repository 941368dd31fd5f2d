import { texts } from '../../texts/texts.ts';
import type { Subscription } from './calls.ts';

const words = texts.events;

/** Returns the state of a subscription in words. */
export function stateText({ pause_reason, failing_since }: Subscription): string {
  if (pause_reason !== null) return words.paused[pause_reason];
  return failing_since === null ? words.sending : words.failingSince;
}
