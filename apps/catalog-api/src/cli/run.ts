import { failureMessage } from '../failure-message.js';
import { catalogSettings } from '../settings.js';
import { UsageError, type Command } from './command.js';

/**
 * Runs one command line and says with which code the process should end: 0 done, 1 failed, 2 not understood.
 *
 * The command is the one whose leading words match; what follows them is its arguments.
 */
export async function runCommandLine(words: readonly string[], commands: readonly Command[]): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const complain = (line: string): void => void process.stderr.write(`${line}\n`);
  const command = commands.find(({ usage }) => namesOf(usage).every((name, index) => words[index] === name));
  if (!command) {
    complain(helpOf(commands));
    return words.length === 0 || words[0] === 'help' ? 0 : 2;
  }
  try {
    await command.run(words.slice(namesOf(command.usage).length), { settings: catalogSettings(), print });
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`${error.message}\nusage: cli.js ${command.usage}`);
      return 2;
    }
    complain(failureMessage(error));
    return 1;
  }
}

/** The leading words of a usage line that are not arguments. */
function namesOf(usage: string): string[] {
  const words = usage.split(' ');
  const end = words.findIndex((word) => /^[<[-]/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

function helpOf(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  return [
    'usage: cli.js <command>',
    '',
    ...commands.map((each) => `  ${each.usage.padEnd(width)}  ${each.summary}`),
  ].join('\n');
}
