import type { Command as CommandOf, Output } from '@rdc/cli';
import type { INestApplicationContext } from '@nestjs/common';

/** What a command is given to work with. */
export interface CommandContext extends Output {
  /** The services behind the HTTP interface; opened at the first call. */
  readonly open: () => Promise<INestApplicationContext>;
}

/** One command of `provisioner`. */
export type Command = CommandOf<CommandContext>;
