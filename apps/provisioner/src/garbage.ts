/**
 * Bounds the memory that V8 lets garbage take. Copying many files and listing many datasets makes much of it, and where
 * a machine has memory to spare V8 would take hundreds of megabytes before it looks what is still used. To be imported
 * before anything else.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the space for what lives shortly: two halves of 8 MB, enough that little lives longer than a round. */
const youngBytes = 16 * 1024 * 1024;

/** Megabytes of a half of that space in a thread. */
const threadSemiSpaceMb = 2;

/** By how much the heap may grow, in percent of what was still used, before V8 looks again what is. */
const growthPercent = 20;

/** Keeps objects until the space for what lives shortly has grown to its bound; then they are garbage too. */
function growYoungSpace(): void {
  const kept: unknown[] = [];
  while (youngSpace() < youngBytes) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
}

function youngSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? youngBytes;
}

growYoungSpace();
// Threads that are started later begin with theirs, and keep to it.
setFlagsFromString(`--min-semi-space-size=${String(threadSemiSpaceMb)}`);
// V8 takes a bound of this space only when a process starts; but by what factor it may grow it looks at each growth.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString(`--heap-growing-percent=${String(growthPercent)}`);
