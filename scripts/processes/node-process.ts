import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** A Node program and the options with which it is run. */
export interface NodeProgram {
  /** Absolute path of the script. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** Whether the output goes to the launcher's terminal instead of the log file. */
  readonly printsToTerminal?: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly workingFolder: string;
}

/**
 * Starts a program with the Node of this process. The program has its own process group. So Ctrl-C in a terminal reaches
 * only the launcher, which stops all programs in the right order.
 */
export function spawnNode(program: NodeProgram, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const words = [...(program.nodeOptions ?? []), '--enable-source-maps', program.script, ...(program.args ?? [])];
    const output = program.printsToTerminal ? 'inherit' : log;
    return spawn(process.execPath, words, {
      cwd: program.workingFolder,
      env: program.environment,
      detached: true,
      stdio: ['ignore', output, output],
    });
  } finally {
    closeSync(log);
  }
}
