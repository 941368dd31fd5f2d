import { UsageError } from '@rdc/cli';
import { reasonOf, urlBelow } from '../daisy-source.js';
import { rawOf, type Raw } from '../raw-values.js';

/** The time limit of one request. DAISY may need minutes for a list. */
const timeoutMs = 600_000;

/** The answer to one request. `body` is empty unless the status is 200. */
export interface SystemAnswer {
  readonly status: number;
  readonly body: Raw;
  /** The elements of a body that is a list. */
  readonly elements: readonly unknown[];
}

/** Reads JSON from a system. @throws UsageError if the system does not answer with JSON */
export async function readAnswer(url: string, path: string, key: string): Promise<SystemAnswer> {
  const address = urlBelow(url, path);
  const headers = { 'X-API-Key': key, Accept: 'application/json' };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { headers, signal, redirect: 'error' });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { status: response.status, body: {}, elements: [] };
    }
    const body: unknown = await response.json();
    return { status: 200, body: rawOf(body), elements: Array.isArray(body) ? body : [] };
  } catch (error) {
    throw new UsageError(`${address.href} does not answer with JSON: ${reasonOf(error)}`);
  }
}
