import type { CommandUnknownOpts, Output } from '@rdc/cli';
import type { INestApplicationContext } from '@nestjs/common';

/** The context in which a command runs. */
export interface CommandContext extends Output {
  /** Returns the services of the HTTP interface. The first call opens them. */
  readonly open: () => Promise<INestApplicationContext>;
  /** Sets the exit code of the command, which is 0 otherwise. */
  readonly setExitCode: (code: number) => void;
}

/** Returns a command of `provisioner`. */
export type CommandFactory = (context: CommandContext) => CommandUnknownOpts;

/** The flags and the descriptions of options that several commands have. */
export const sharedOptions = {
  json: ['--json', 'print each result as a line of JSON'],
  noWait: ['--no-wait', 'print the requested imports and do not wait for their end'],
} as const;
