import { keepLog } from '../../../../test/support/test-logs.ts';
import { runProvisioner } from '../../src/cli/program.js';

/** The result of a command line. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line of `provisioner`. */
export async function provisioner(environment: Record<string, string>, ...words: readonly string[]): Promise<Ended> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runProvisioner(words, environment, {
    print: (line) => void out.push(`${line}\n`),
    remark: (line) => void err.push(`${line}\n`),
  });
  keepLog('provisioner-command', [...out, ...err].join(''));
  return { code, out: out.join(''), err: err.join('') };
}
