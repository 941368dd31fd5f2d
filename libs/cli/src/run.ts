import { UsageError, type Command } from './command.js';

/** Where a program writes lines. */
export interface Output {
  /** The answer. */
  readonly print: (line: string) => void;
  /** What is not part of the answer: remarks and refusals. */
  readonly remark: (line: string) => void;
}

/** The process's own standard output and standard error. */
export const processOutput: Output = {
  print: (line) => void process.stdout.write(`${line}\n`),
  remark: (line) => void process.stderr.write(`${line}\n`),
};

/** Characters of usage lines beside which there is room for a summary. */
const widestColumn = 64;

/** A program of several commands. */
export interface Program<Context> {
  /** What an operator types for it, e.g. `cli.js`. */
  readonly name: string;
  /** In the order of the help. */
  readonly commands: readonly Command<Context>[];
  /** What commands are given to work with; made once a command is recognised. */
  readonly context: () => Context;
  /** What an operator reads of an error, and the code the process ends with. */
  readonly failure: (error: unknown) => { readonly message: string; readonly code: number };
}

/**
 * Runs one command line and says with which code the process should end: 0 done, 2 not understood, else what the
 * command or the program says.
 *
 * The command is the one whose leading words match; what follows them is its arguments.
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
    if (!isAsked) remark(`There is no command "${first}".\n`);
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

/** The leading words of a usage line that are not arguments. */
function namesOf(usage: string): string[] {
  const words = usage.split(' ');
  const end = words.findIndex((word) => /^[<[-]/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** One line for each command, or two where usage lines are too long to stand beside what they are for. */
function helpOf<Context>({ name, commands }: Program<Context>): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, summary }) =>
    width > widestColumn ? `  ${usage}\n      ${summary}` : `  ${usage.padEnd(width)}  ${summary}`,
  );
  return [`usage: ${name} <command>`, '', ...lines].join('\n');
}
