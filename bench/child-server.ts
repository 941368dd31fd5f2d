import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** A server in its own process. */
export type ChildServer = ChildProcess;

/**
 * Starts a program that serves HTTP on a loopback port. The program may not accept requests yet.
 *
 * @param nodeOptions options of Node itself
 */
export function startChild(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  nodeOptions: readonly string[] = [],
): ChildServer {
  const words = [...nodeOptions, script, ...args];
  return spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Waits until the server answers any request. @throws Error if the server ends first */
export async function answers(port: number, child: ChildServer): Promise<void> {
  const betweenTriesMs = 50;
  while (child.exitCode === null) {
    if (await fetch(`http://127.0.0.1:${String(port)}/nothing`).catch(() => undefined)) return;
    await pause(betweenTriesMs);
  }
  throw new Error('A server ended before it was ready. If the workspaces are not built, run npm run build.');
}

/** Stops the server and waits for its end. */
export async function ended(child: ChildServer): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
