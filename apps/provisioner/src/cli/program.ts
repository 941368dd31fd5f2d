import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { processOutput, runCommandLine, type Output } from '@rdc/cli';
import type { Environment } from '@rdc/settings';
import { CliModule } from './cli.module.js';
import { commands } from './commands.js';
import { failureOf } from './exit-codes.js';

/** Returns the name of the command in a command line; `help` if there is none. */
export function commandOf([word]: readonly string[]): string {
  const names = commands.map(({ usage }) => usage.split(' ', 1)[0]);
  return word !== undefined && names.includes(word) ? word : 'help';
}

/** Runs a command line of `provisioner`. @returns the exit code */
export async function runProvisioner(
  words: readonly string[],
  environment: Environment,
  output: Output = processOutput,
): Promise<number> {
  let opened: Promise<INestApplicationContext> | undefined;
  const open = (): Promise<INestApplicationContext> =>
    (opened ??= NestFactory.createApplicationContext(CliModule.forEnvironment(environment), {
      logger: false,
      abortOnError: false,
    }));
  const program = { name: 'provisioner', commands, context: () => ({ open, ...output }), failure: failureOf };
  try {
    return await runCommandLine(words, program, output);
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
}
