import { spawnSync } from 'node:child_process';

/** A command of a document and the output that the document shows. */
export interface DocumentedCall {
  readonly command: string;
  /** The expected output; `…` matches any text. */
  readonly output: string;
}

/** Returns the calls in the `console` blocks of a Markdown document. A command begins with `$ ` and has one line. */
export function documentedCalls(markdown: string): DocumentedCall[] {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        return { command: part.slice(0, end), output: part.slice(end + 1).trim() };
      }),
  );
}

/** Runs commands in one shell and returns the output of each, standard error included. */
export function runInShell(commands: readonly string[], folder: string): string[] {
  const end = '--- end of one call ---';
  const script = commands.map((command) => `${command}\nprintf '\\n%s\\n' '${end}'`).join('\n');
  const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], { cwd: folder, encoding: 'utf8' });
  return stdout
    .split(`\n${end}\n`)
    .slice(0, commands.length)
    .map((output) => output.trim());
}

/** Returns a pattern for an expected output, in which `…` matches any text. */
export function patternOf(output: string): RegExp {
  const parts = output.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}
