import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** A server that runs in a process of its own. */
export type ChildServer = ChildProcess;

/** Starts a program that will answer HTTP on a loopback port; it may not do so yet. */
export function startChild(script: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildServer {
  return spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Waits until it answers anything at all. @throws Error when it ended before */
export async function answers(port: number, child: ChildServer): Promise<void> {
  const betweenTriesMs = 50;
  while (child.exitCode === null) {
    if (await fetch(`http://127.0.0.1:${String(port)}/nothing`).catch(() => undefined)) return;
    await pause(betweenTriesMs);
  }
  throw new Error('A server ended before it answered. Is everything built (npm run build)?');
}

/** Stops it, and waits for its end. */
export async function ended(child: ChildServer): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
