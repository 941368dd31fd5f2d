import { createLogger, withTimeout } from '@rdc/http';
import { startTracing, tracing } from '@rdc/telemetry';
import { version } from './version.js';

/** Maximum time for which a command waits for its spans to be sent before it exits. */
const exportTimeoutMs = 2_000;

/** Starts tracing if the environment enables it. @param name the service name in traces */
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
 * Runs a command in a separate trace if the environment enables tracing. Waits up to two seconds for the spans to be
 * sent.
 *
 * @param name the command without its arguments, which may contain names of people and files
 * @returns the exit code of the command
 */
export async function traceCommand(name: string, run: () => Promise<number>): Promise<number> {
  const warn = (message: string): void => void process.stderr.write(`traces: ${message}\n`);
  await startTracing(process.env, { name: 'provisioner-cli', version, warn });
  const code = await tracing.runCommand(name, run);
  await withTimeout(exportTimeoutMs, tracing.stop()).catch((error: unknown) => {
    warn(String(error));
  });
  return code;
}
