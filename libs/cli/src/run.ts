import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';

/** The two outputs of a program. */
export interface Output {
  /** Writes a line of the result. */
  readonly print: (line: string) => void;
  /** Writes a line that is not part of the result, such as an error. */
  readonly remark: (line: string) => void;
}

/** Standard output and standard error of the process. */
export const processOutput: Output = {
  print: (line) => void process.stdout.write(`${line}\n`),
  remark: (line) => void process.stderr.write(`${line}\n`),
};

/** An error for a command line that is not valid. The message states the reason. */
export class UsageError extends Error {
  override readonly name = UsageError.name;
}

/** Returns the message and the exit code for an error. */
export type FailureOf = (error: unknown) => { readonly message: string; readonly code: number };

const invalidCommandLine = 2;

const hint = 'Use --help to show the usage.';

/**
 * Runs a command line and returns the exit code: 0 if the command succeeded, 2 if the command line is not valid, else
 * the code of `failureOf`.
 */
export async function runCommandLine(
  program: CommandUnknownOpts,
  words: readonly string[],
  failureOf: FailureOf,
  { print, remark }: Output = processOutput,
): Promise<number> {
  for (const command of commandsOf(program)) {
    command
      .exitOverride()
      .showHelpAfterError(hint)
      .configureOutput({
        writeOut: (text) => {
          print(text.trimEnd());
        },
        writeErr: (text) => {
          remark(text.trimEnd());
        },
      });
    refuseRepeatedOptions(command);
  }
  const isEmpty = words.length === 0 && program.commands.length > 0;
  try {
    await program.parseAsync(isEmpty ? ['help'] : words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : invalidCommandLine;
    const { message, code } =
      error instanceof UsageError
        ? { message: `error: ${error.message}\n${hint}`, code: invalidCommandLine }
        : failureOf(error);
    remark(message);
    return code;
  }
}

/** Yields a command and all its subcommands. */
function* commandsOf(command: CommandUnknownOpts): Generator<CommandUnknownOpts> {
  yield command;
  for (const each of command.commands) yield* commandsOf(each);
}

/** Refuses repeated options, because commander keeps only the last value. */
function refuseRepeatedOptions(command: CommandUnknownOpts): void {
  const given = new Set<string>();
  for (const option of command.options) {
    if (!option.required || option.variadic) continue;
    command.on(`option:${option.name()}`, () => {
      if (given.has(option.flags)) command.error(`error: option '${option.flags}' given more than once`);
      given.add(option.flags);
    });
  }
}
