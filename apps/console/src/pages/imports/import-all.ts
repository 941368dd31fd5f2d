import { bodyOf, provisioner } from '../../api/client.ts';
import type { components } from '../../api/generated/provisioner.ts';

/** The interval and the maximum duration of waiting for a worker to queue the imports. */
const lookEveryMs = 500;
const lookForMs = 15_000;

type AskedRun = components['schemas']['AskedRunResponse'];

/**
 * Requests all missing imports.
 *
 * @returns the number of queued imports, or null if no worker has queued the imports in time
 */
export async function importAll(): Promise<number | null> {
  const { id } = (await bodyOf(provisioner.POST('/imports/run'))) as AskedRun;
  for (const end = Date.now() + lookForMs; Date.now() < end;) {
    const { last_run: last } = await bodyOf(provisioner.GET('/imports/schedule'));
    if (last?.id === id) return last.queued;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return null;
}
