import { PidFile } from './pid-file.ts';

const patienceMs = 30_000;

/** A process that an earlier launcher may have left behind. */
export interface Leftover {
  readonly name: string;
  readonly stopSignal: NodeJS.Signals;
}

/**
 * Stops, one after the other, the processes that a killed launcher left running. A process that has reused the id of
 * such a process is not touched.
 */
export async function stopLeftovers(
  runFolder: string,
  candidates: readonly Leftover[],
  say: (line: string) => void,
): Promise<void> {
  for (const { name, stopSignal } of candidates) {
    const found = await new PidFile(runFolder, name).stopLeftover(stopSignal, patienceMs);
    if (found) say(`Stopped the process ${name}, which an earlier start left running.`);
  }
}
