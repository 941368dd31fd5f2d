/**
 * Answers every message with the number of live bytes after a garbage collection. Loaded into a service before the
 * service's own code. The resident memory is less precise, because V8 collects garbage only when it needs room.
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
