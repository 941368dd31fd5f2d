import { withTimeout } from '@rdc/http';

/** How long a stop of the process waits for what is under way. */
const stopMs = 5_000;

/**
 * Awaits what is under way, whatever becomes of it, but not for long: the process ends with what goes on. A queue or a
 * worker whose connection was being restored may never say that it is closed.
 */
export async function waitAtMost(underWay: Promise<unknown>): Promise<void> {
  await withTimeout(stopMs, underWay).catch(() => undefined);
}
