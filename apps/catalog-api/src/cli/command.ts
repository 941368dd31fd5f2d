import type { CatalogSettings } from '../settings.js';

/** What a command is given to work with. */
export interface CommandContext {
  readonly settings: CatalogSettings;
  /** Writes one line for the operator. */
  readonly print: (line: string) => void;
}

/** One command of `cli.js`. It returns when it is done and throws when it cannot be. */
export interface Command {
  /** The words it is called by and its arguments, e.g. `import full <file>`. */
  readonly usage: string;
  /** What it is for, as a line of the help. */
  readonly summary: string;
  run(args: readonly string[], context: CommandContext): Promise<void>;
}

/** The command line is not one we know; the message says what is wrong. */
export class UsageError extends Error {
  override readonly name = UsageError.name;
}
