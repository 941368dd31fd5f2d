import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStartError } from './cannot-start.error.ts';

const run = promisify(execFile);

/** Runs commands of the catalog's command line. */
export class CatalogCommand {
  private readonly root: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly signal: AbortSignal;

  constructor(root: string, environment: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.root = root;
    this.environment = environment;
    this.signal = signal;
  }

  /**
   * Runs one command and returns its output.
   *
   * @throws CannotStartError with the command's error output if the command fails
   */
  async run(...words: readonly string[]): Promise<string> {
    const script = join(this.root, 'apps/catalog-api/dist/cli.js');
    const options = { cwd: this.root, env: this.environment, signal: this.signal };
    try {
      return (await run(process.execPath, [script, ...words], options)).stdout.trim();
    } catch (cause) {
      this.signal.throwIfAborted();
      const { stderr, message } = cause as { stderr?: string; message: string };
      throw new CannotStartError(
        `The command "catalog ${words.join(' ')}" failed:\n${stderr?.trim() || message}`,
        cause,
      );
    }
  }
}
