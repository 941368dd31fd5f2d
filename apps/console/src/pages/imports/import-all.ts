import { bodyOf, provisioner } from '../../api/client.ts';
import type { components } from '../../api/generated/provisioner.ts';

/** How often, and for how long, it is looked whether a worker has queued what it was asked for. */
const lookEveryMs = 500;
const lookForMs = 15_000;

type AskedRun = components['schemas']['AskedRunResponse'];

/** Has a worker import everything that is missing. @returns how many imports it has queued; null when that takes longer */
export async function importAll(): Promise<number | null> {
  const { id } = (await bodyOf(provisioner.POST('/imports/run'))) as AskedRun;
  for (const end = Date.now() + lookForMs; Date.now() < end;) {
    const { last_run: last } = await bodyOf(provisioner.GET('/imports/schedule'));
    if (last?.id === id) return last.queued;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return null;
}
