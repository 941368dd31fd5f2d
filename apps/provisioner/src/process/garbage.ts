/**
 * Limits the memory that garbage takes. Copies of many files and lists of many datasets create much garbage. On a
 * machine with free memory, V8 would use hundreds of megabytes before it collects. Import this module before all other
 * modules.
 */
import { setFlagsFromString } from 'node:v8';
import { growYoungSpace } from './young-space.js';

/** The size of each half of the young generation in a thread, in megabytes. */
const threadSemiSpaceMb = 2;

/** The growth of the heap after which V8 collects it, in percent of the bytes in use after the previous collection. */
const growthPercent = 20;

growYoungSpace();
// Threads that start later use this size.
setFlagsFromString(`--min-semi-space-size=${String(threadSemiSpaceMb)}`);
setFlagsFromString(`--heap-growing-percent=${String(growthPercent)}`);
