import { createLogger } from '@rdc/http';
import { startTracing } from '@rdc/telemetry';
import { version } from './version.js';

/** Switches tracing on, if the environment asks for it. @param name the name by which traces know the process */
export async function traceProcess(name: string): Promise<void> {
  const logger = createLogger('warn');
  await startTracing(process.env, {
    name,
    version,
    warn: (message) => {
      logger.warn(`traces: ${message}`);
    },
  });
}
