/**
 * Bounds the memory that V8 lets garbage take. Copying many files and listing many datasets makes much of it, and where
 * a machine has memory to spare V8 would take hundreds of megabytes before it looks what is still used. To be imported
 * before anything else.
 */
import { setFlagsFromString } from 'node:v8';
import { growYoungSpace } from './young-space.js';

/** Megabytes of a half of the space for what lives shortly, in a thread. */
const threadSemiSpaceMb = 2;

/** By how much the heap may grow, in percent of what was still used, before V8 looks again what is. */
const growthPercent = 20;

growYoungSpace();
// Threads that are started later begin with theirs, and keep to it.
setFlagsFromString(`--min-semi-space-size=${String(threadSemiSpaceMb)}`);
setFlagsFromString(`--heap-growing-percent=${String(growthPercent)}`);
