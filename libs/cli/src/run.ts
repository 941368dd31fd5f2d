import { UsageError, type Command } from './command.js';

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

/** Longest usage line, in characters, next to which the help prints the summary. */
const widestColumn = 64;

/** A program with several commands. */
export interface Program<Context> {
  /** The name that the help shows, e.g. `cli.js`. */
  readonly name: string;
  /** The commands in the order of the help. */
  readonly commands: readonly Command<Context>[];
  /** Returns the context of the commands. It is called after a command was recognised. */
  readonly context: () => Context;
  /** Returns the message and the exit code for an error. */
  readonly failure: (error: unknown) => { readonly message: string; readonly code: number };
}

/**
 * Runs a command line and returns the exit code: 0 if the command succeeded, 2 if the command line is not valid, else
 * the code of the command or of `failure`.
 *
 * The command is the first one whose name is the beginning of the command line. The remaining words are its arguments.
 */
export async function runCommandLine<Context>(
  words: readonly string[],
  program: Program<Context>,
  { print, remark }: Output = processOutput,
): Promise<number> {
  const command = program.commands.find(({ usage }) => namesOf(usage).every((name, index) => words[index] === name));
  const [first] = words;
  if (!command) {
    const isAsked = first === undefined || ['help', '--help', '-h'].includes(first);
    if (!isAsked) remark(`unknown command "${first}"\n`);
    (isAsked ? print : remark)(helpOf(program));
    return isAsked ? 0 : 2;
  }
  const args = words.slice(namesOf(command.usage).length);
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    print(`usage: ${program.name} ${command.usage}\n\n${command.summary}`);
    return 0;
  }
  try {
    return (await command.run(args, program.context())) ?? 0;
  } catch (error) {
    if (error instanceof UsageError) {
      remark(`${error.message}\nusage: ${program.name} ${command.usage}`);
      return 2;
    }
    const { message, code } = program.failure(error);
    remark(message);
    return code;
  }
}

/** Returns the words of a usage line before its arguments. */
function namesOf(usage: string): string[] {
  const words = usage.split(' ');
  const end = words.findIndex((word) => /^[<[-]/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** Returns the help: one line for each command, or two lines if the usage lines are long. */
function helpOf<Context>({ name, commands }: Program<Context>): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, summary }) =>
    width > widestColumn ? `  ${usage}\n      ${summary}` : `  ${usage.padEnd(width)}  ${summary}`,
  );
  return [`usage: ${name} <command>`, '', ...lines].join('\n');
}
