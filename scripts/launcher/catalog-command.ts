import { execFile } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStartError } from './cannot-start.error.ts';

const run = promisify(execFile);

/** Runs commands of the catalog's command line. */
export class CatalogCommand {
  private readonly root: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly logFile: string;
  private readonly signal: AbortSignal;

  constructor(root: string, environment: NodeJS.ProcessEnv, logFile: string, signal: AbortSignal) {
    this.root = root;
    this.environment = environment;
    this.logFile = logFile;
    this.signal = signal;
  }

  /** @throws CannotStartError with what the command said, when it fails */
  async run(...words: readonly string[]): Promise<void> {
    const script = join(this.root, 'apps/catalog-api/dist/cli.js');
    const options = { cwd: this.root, env: this.environment, signal: this.signal };
    try {
      const { stdout, stderr } = await run(process.execPath, [script, ...words], options);
      await appendFile(this.logFile, `${stdout}${stderr}`, { mode: 0o600 });
    } catch (cause) {
      this.signal.throwIfAborted();
      const { stderr, message } = cause as { stderr?: string; message: string };
      throw new CannotStartError(`catalog ${words.join(' ')} failed:\n${stderr?.trim() || message}`, cause);
    }
  }
}
