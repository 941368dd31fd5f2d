import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the space for what lives shortly: two halves of 8 MB, enough that little lives longer than a round. */
const youngBytes = 16 * 1024 * 1024;

/** V8 may make the space smaller at any time; at most so long it stays so while there is work. */
const lookEveryMs = 250;

/** Has V8's space for what lives shortly grow to its bound, and no further. Takes milliseconds. */
export function growYoungSpace(): void {
  if (youngSpace() >= youngBytes) return;
  // V8 takes a bound of this space only when a process starts; but by what factor it may grow it looks at each growth.
  setFlagsFromString('--semi-space-growth-factor=2');
  // It grows by what is still used; afterwards this is garbage too.
  const kept: unknown[] = [];
  while (youngSpace() < youngBytes) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Keeps that space at its bound while something works that makes much garbage. V8 shrinks it to a sixteenth in a process
 * that had little to do, also some seconds later; copying many small files would take a quarter more of the processor.
 */
export async function withYoungSpace<T>(work: () => Promise<T>): Promise<T> {
  growYoungSpace();
  const looking = setInterval(growYoungSpace, lookEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(looking);
  }
}

function youngSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? youngBytes;
}
