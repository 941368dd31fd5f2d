import { PidFile } from './pid-file.ts';

const patienceMs = 30_000;

/** A process that an earlier launcher may have left behind. */
export interface Leftover {
  readonly name: string;
  readonly stopSignal: NodeJS.Signals;
}

/**
 * Ends, one after the other, what a launcher that was killed left running. Only processes that it started are touched,
 * never one that has got the id of such a process since.
 */
export async function stopLeftovers(
  runFolder: string,
  candidates: readonly Leftover[],
  say: (line: string) => void,
): Promise<void> {
  for (const { name, stopSignal } of candidates) {
    const found = await new PidFile(runFolder, name).stopLeftover(stopSignal, patienceMs);
    if (found) say(`Stopped the ${name} that an earlier start had left running.`);
  }
}
