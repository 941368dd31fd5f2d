import { setTimeout as pause } from 'node:timers/promises';
import { CannotStartError } from './cannot-start.error.ts';
import type { ServiceClient } from './service-client.ts';

interface Import {
  readonly id: string;
  readonly state: string;
  readonly error: { readonly message: string } | null;
}

const patienceMs = 120_000;
const pollMs = 200;
const conflict = 409;
const endings = ['finished', 'rejected', 'failed', 'cancelled'];

/**
 * Imports one dataset as anybody would, over HTTP, and resolves when it is in storage. Asking again for one that is
 * there changes nothing.
 */
export async function importDataset(provisioner: ServiceClient, id: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let current = await request(provisioner, id);
  while (!current || !endings.includes(current.state)) {
    if (Date.now() > deadline) throw new CannotStartError(`The sample dataset ${id} was not imported in time.`);
    await pause(pollMs, undefined, { signal });
    current = current ? await provisioner.get<Import>(`/imports/${current.id}`) : await request(provisioner, id);
  }
  if (current.state !== 'finished') {
    throw new CannotStartError(`The import of ${id} ended ${current.state}: ${current.error?.message ?? ''}`);
  }
}

/** Undefined while the delivery has not settled yet. */
async function request(provisioner: ServiceClient, id: string): Promise<Import | undefined> {
  const { status, body } = await provisioner.post('/datasets/srcsys/import', { dataset_id: id });
  if (status === conflict) return undefined;
  if (status === 200 || status === 202) return body as Import;
  throw new CannotStartError(`The import of ${id} was refused: ${JSON.stringify(body)}`);
}
