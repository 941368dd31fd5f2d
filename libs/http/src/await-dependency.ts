import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { OutageLog, reasonOf } from './outage-log.js';

const firstPauseMs = 250;
const longestPauseMs = 5_000;
const connectTimeoutMs = 5_000;

/** An error for a dependency that did not become available at start. The message is for the operator. */
export class AbsentDependencyError extends Error {
  constructor(dependency: string, cause: unknown) {
    super(`${dependency} does not answer: ${reasonOf(cause)}`, { cause });
    this.name = 'AbsentDependencyError';
  }
}

/** The log of a wait. */
interface WaitLog {
  info(line: string): void;
  warn(line: string): void;
}

/** The options of {@link awaitDependency}. */
export interface Patience {
  /** Time for attempts, with growing pauses; 0 for a single attempt. */
  readonly seconds: number;
  readonly logger: WaitLog;
  /** Whether a later attempt may succeed. If absent, every error is temporary. */
  readonly isTemporary?: (error: unknown) => boolean;
}

/**
 * Waits until a dependency is available. Logs one line when the wait begins, at most one line per minute during the
 * wait, and one line with the duration when the wait ends.
 *
 * @param dependency name for the operator, e.g. `Postgres at DATABASE_URL`
 * @param attempt resolves if the dependency is available
 * @throws AbsentDependencyError if the dependency does not become available in time
 * @throws the error of `attempt` if the error is not temporary
 */
export async function awaitDependency(
  dependency: string,
  attempt: () => Promise<void>,
  { seconds, logger, isTemporary = () => true }: Patience,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  const outages = new OutageLog(`waiting for ${dependency}`, {
    warn: (line: string) => {
      logger.warn(line);
    },
    log: (line: string) => {
      logger.info(line);
    },
  });
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      await attempt();
      outages.succeeded();
      return;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      const left = deadline - performance.now();
      if (left <= 0) throw new AbsentDependencyError(dependency, error);
      outages.failed(error);
      await pause(Math.min(pauseMs, left));
    }
  }
}

const ports: Readonly<Record<string, number>> = { 'redis:': 6379, 'rediss:': 6379, 'http:': 80, 'https:': 443 };

/** Resolves if the host and port of a URL accept a connection, or if the URL has no host. */
export async function reach(url: string): Promise<void> {
  const { protocol, hostname, port } = new URL(url);
  if (hostname === '') return;
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: port === '' ? (ports[protocol] ?? 5432) : Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) });
  } finally {
    socket.destroy();
  }
}
