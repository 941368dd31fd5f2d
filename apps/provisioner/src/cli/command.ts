import type { Command as CommandOf, Output } from '@rdc/cli';
import type { INestApplicationContext } from '@nestjs/common';

/** The context in which a command runs. */
export interface CommandContext extends Output {
  /** Returns the services of the HTTP interface. The first call opens them. */
  readonly open: () => Promise<INestApplicationContext>;
}

/** A command of `provisioner`. */
export type Command = CommandOf<CommandContext>;
