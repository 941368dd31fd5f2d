import type { Command as CommandOf } from '@rdc/cli';
import type { CatalogSettings } from '../settings.js';

/** What a command is given to work with. */
export interface CommandContext {
  readonly settings: CatalogSettings;
  /** Writes one line for the operator. */
  readonly print: (line: string) => void;
}

/** One command of `cli.js`. */
export type Command = CommandOf<CommandContext>;
