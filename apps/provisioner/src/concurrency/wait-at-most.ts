import { withTimeout } from '@rdc/http';

/** Maximum time for which a stopping process waits for an operation in progress. */
const stopTimeoutMs = 5_000;

/**
 * Waits up to five seconds for an operation to end, for use when the process stops. Ignores a failure of the operation.
 * The limit is needed because closing a queue during a reconnection may never complete.
 */
export async function waitAtMost(operation: Promise<unknown>): Promise<void> {
  await withTimeout(stopTimeoutMs, operation).catch(() => undefined);
}
