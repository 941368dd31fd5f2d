import { fileURLToPath } from 'node:url';
import { CannotStartError } from './cannot-start.error.ts';
import { openDataFolder } from './data-folder.ts';
import { type LauncherSettings, readLauncherSettings } from './launcher-settings.ts';
import { refuseTakenPort } from './origin-port.ts';
import type { ServiceProcess } from './services.ts';
import { System } from './system.ts';
import { welcomeOf } from './welcome.ts';

/** Absolute path of the checkout, with a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The differences between the programs that run the system. */
export interface RunOptions {
  /** The service that runs from its sources; unset: none. */
  readonly fromSources?: ServiceProcess | undefined;
  /** Called when the system is ready, after the welcome. */
  readonly onReady?: (settings: LauncherSettings) => void;
  /** Called before the system stops, also if it never was ready. */
  readonly onStop?: () => void;
}

/** Prints a line to the terminal. */
export function say(line: string): void {
  console.log(line);
}

/** Runs the whole system until a signal requests its end. @throws CannotStartError if a part of the system cannot start */
export async function runSystem({ fromSources, onReady, onStop }: RunOptions = {}): Promise<void> {
  const stopRequested = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        resolve();
      });
    }
  });
  const settings = readLauncherSettings(process.env, process.cwd());
  await refuseTakenPort(settings);
  const { folder, lock } = await openDataFolder(settings.dataFolder);
  const system = new System({ root, settings, environment: process.env, folder, say, fromSources });
  try {
    const started = system.start().then((running) => {
      say(welcomeOf(running, folder));
      onReady?.(settings);
    });
    await Promise.race([started, stopRequested]);
    await stopRequested;
    say('Stopping ...');
  } finally {
    onStop?.();
    await system.stop();
    lock.release();
  }
  say('Stopped.');
}

/** Runs a program to its end and exits: with 1 after a failure, of which it prints the message or the stack. */
export async function runProgram(main: () => Promise<void>): Promise<never> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof CannotStartError ? error.message : error);
    process.exitCode = 1;
  }
  process.exit();
}
