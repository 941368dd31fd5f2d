import { runCommandLine } from '@rdc/cli';
import type { Environment } from '@rdc/settings';
import { catalogProgram } from '../../src/app/commands.js';
import { commandContext } from '../../src/app/command-context.js';
import { failureMessage } from '../../src/app/failure-message.js';
import type { PasswordInput } from '../../src/people/sessions/password.command.js';
import { catalogSettings } from '../../src/app/catalog.settings.js';

/**
 * Runs a command line of `cli.js`.
 *
 * @param input the standard input
 * @returns the lines of the result
 * @throws Error with all lines if the exit code is not 0
 */
export async function runCatalog(
  environment: Environment,
  words: readonly string[],
  input?: PasswordInput,
): Promise<string[]> {
  const [lines, remarks]: [string[], string[]] = [[], []];
  const print = (line: string): void => void lines.push(line);
  const code = await runCommandLine(
    catalogProgram(() => commandContext(catalogSettings(environment), print), input),
    words,
    (error) => ({ message: failureMessage(error), code: 1 }),
    { print, remark: (line) => void remarks.push(line) },
  );
  if (code !== 0) throw new Error([...lines, ...remarks, `exit code ${String(code)}`].join('\n'));
  return lines;
}
