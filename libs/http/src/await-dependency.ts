import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { OutageLog, reasonOf } from './outage-log.js';

const firstPauseMs = 250;
const longestPauseMs = 5_000;
const connectTimeoutMs = 5_000;

/** What a start needs did not come; the message is for the operator, in a sentence. */
export class AbsentDependencyError extends Error {
  constructor(dependency: string, cause: unknown) {
    super(`${dependency} does not answer: ${reasonOf(cause)}`, { cause });
    this.name = 'AbsentDependencyError';
  }
}

/** How a start waits. */
export interface Patience {
  /** For so long it tries again, with growing pauses; 0: once only. */
  readonly seconds: number;
  readonly logger: Logger;
  /** Whether trying again may help; without this, always. */
  readonly isTemporary?: (error: unknown) => boolean;
}

/**
 * Waits until something that a start needs can be used. Writes one line when the wait begins, at most one a minute while it
 * lasts, and one with its duration when it ends.
 *
 * @param dependency name for the operator, e.g. `Postgres at DATABASE_URL`
 * @param attempt resolves once the dependency can be used
 * @throws AbsentDependencyError if the dependency does not come in time; the error of `attempt` if it is not temporary
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

/** Resolves when something takes connections at the host and port of a URL; at once where it names none. */
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
