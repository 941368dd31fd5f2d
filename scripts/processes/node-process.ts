import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A Node program of ours and how it is run. */
export interface NodeProgram {
  /** Absolute path of the script. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly workingFolder: string;
}

/**
 * Starts a program with the Node that runs us. It has a process group of its own, so that Ctrl-C in a terminal reaches
 * only the launcher, which then stops everything in the right order.
 */
export function spawnNode(program: NodeProgram, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    return spawn(process.execPath, ['--enable-source-maps', program.script, ...(program.args ?? [])], {
      cwd: program.workingFolder,
      env: program.environment,
      detached: true,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}
