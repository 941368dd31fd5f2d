import { createLogger, withTimeout } from '@rdc/http';
import { startTracing, tracing } from '@rdc/telemetry';
import { version } from './version.js';

/** For so long a command waits until its spans are sent: who typed it waits too. */
const sendingMs = 2_000;

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

/**
 * Runs a command line in a trace of its own, if the environment asks for one.
 *
 * @param name without arguments, which may name people and files
 * @returns the code the process ends with, once the spans are sent or it was waited for them long enough
 */
export async function traceCommand(name: string, run: () => Promise<number>): Promise<number> {
  const warn = (message: string): void => void process.stderr.write(`traces: ${message}\n`);
  await startTracing(process.env, { name: 'provisioner-cli', version, warn });
  const code = await tracing.runCommand(name, run);
  await withTimeout(sendingMs, tracing.stop()).catch((error: unknown) => {
    warn(String(error));
  });
  return code;
}
