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
 * Imports one dataset over HTTP, and resolves when the dataset is in storage. The import of a stored dataset changes
 * nothing.
 *
 * @throws CannotStartError if the import is refused, fails, or takes longer than two minutes
 */
export async function importDataset(provisioner: ServiceClient, id: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let current = await request(provisioner, id);
  while (!current || !endings.includes(current.state)) {
    if (Date.now() > deadline) {
      const seconds = String(patienceMs / 1000);
      throw new CannotStartError(
        `The sample dataset ${id} was not imported within ${seconds} s. The log of the worker shows the reason.`,
      );
    }
    await pause(pollMs, undefined, { signal });
    current = current ? await provisioner.get<Import>(`/imports/${current.id}`) : await request(provisioner, id);
  }
  if (current.state !== 'finished') {
    throw new CannotStartError(
      `The import of ${id} ended in state "${current.state}": ${current.error?.message ?? 'no reason was reported'}`,
    );
  }
}

/** Requests the import. @returns undefined if the delivery has not settled */
async function request(provisioner: ServiceClient, id: string): Promise<Import | undefined> {
  const { status, body } = await provisioner.post('/datasets/srcsys/import', { dataset_id: id });
  if (status === conflict) return undefined;
  if (status === 200 || status === 202) return body as Import;
  throw new CannotStartError(`The import of ${id} was refused: ${JSON.stringify(body)}`);
}
