/**
 * Loaded into a service before the service itself: answers every message with the bytes that are alive after everything
 * else was collected. What a process takes of the machine says less: V8 lets garbage lie as long as there is room.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

process.on('message', () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.channel?.unref();
