import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command, processOutput, runCommandLine, type Output } from '@rdc/cli';
import type { Environment } from '@rdc/settings';
import { cancelCommand } from './cancel.command.js';
import { CliModule } from './cli.module.js';
import type { CommandFactory } from './command.js';
import { exitCodes, failureOf } from './exit-codes.js';
import { importCommand } from './import.command.js';
import { diffCommand, listCommand } from './list.commands.js';
import { planCommand } from './plan.command.js';
import { purgeCommand } from './purge.command.js';
import { removableCommand } from './removable.command.js';
import { retryCommand } from './retry.command.js';
import { scheduleCommand } from './schedule.command.js';
import { statusCommand } from './status.command.js';
import { verifyCommand } from './verify.command.js';
import { withdrawCommand } from './withdraw.command.js';
import { withdrawnCommand } from './withdrawn.command.js';

/** All commands, in the order of the help. */
const commands: readonly CommandFactory[] = [
  listCommand,
  diffCommand,
  removableCommand,
  planCommand,
  importCommand,
  verifyCommand,
  statusCommand,
  cancelCommand,
  retryCommand,
  withdrawCommand,
  withdrawnCommand,
  purgeCommand,
  scheduleCommand,
];

/** Runs a command under a name that contains no arguments. */
type Trace = (name: string, run: () => Promise<number>) => Promise<number>;

/** Runs a command line of `provisioner`. @returns the exit code */
export async function runProvisioner(
  words: readonly string[],
  environment: Environment,
  output: Output = processOutput,
  trace: Trace = (_, run) => run(),
): Promise<number> {
  let opened: Promise<INestApplicationContext> | undefined;
  const open = (): Promise<INestApplicationContext> =>
    (opened ??= NestFactory.createApplicationContext(CliModule.forEnvironment(environment), {
      logger: false,
      abortOnError: false,
    }));
  let exitCode: number = exitCodes.done;
  const setExitCode = (code: number): void => void (exitCode = code);
  const program = new Command('provisioner').description('Imports datasets of the source into the storage.');
  for (const command of commands) program.addCommand(command({ open, setExitCode, ...output }));
  const name = program.commands.find((command) => command.name() === words[0])?.name() ?? 'help';
  try {
    return await trace(
      `provisioner ${name}`,
      async () => (await runCommandLine(program, words, failureOf, output)) || exitCode,
    );
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}
