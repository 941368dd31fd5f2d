import { spawn, type ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { CannotStartError } from './launcher/cannot-start.error.ts';
import { originOf } from './launcher/launcher-settings.ts';
import { root, runProgram, runSystem, say } from './launcher/run-system.ts';
import { inspectorAddress, serviceNames } from './launcher/services.ts';

/**
 * `npm run dev -- <part>`: runs the whole system like `npm start`, but one part of it from its sources. A service restarts
 * after each change of a source file, an SQL file or a library, and accepts a debugger. The console is served by Vite,
 * which replaces changed modules in the open page. A type checker runs next to the part.
 */
const parts = [...serviceNames, 'console'] as const;
type Part = (typeof parts)[number];

const children: ChildProcess[] = [];

function partOf(words: readonly string[]): Part {
  const [word, ...more] = parseArgs({ args: [...words], allowPositionals: true }).positionals;
  const part = parts.find((each) => each === word);
  if (part === undefined || more.length > 0) {
    throw new CannotStartError(`npm run dev needs the name of one part: npm run dev -- ${parts.join(' | ')}`);
  }
  return part;
}

/** Starts a program of an installed package. Its output goes to the terminal. */
function runTool(script: string, args: readonly string[], folder: string, environment: NodeJS.ProcessEnv = {}): void {
  const env = { ...process.env, ...environment };
  const words = [`${root}node_modules/${script}`, ...args];
  children.push(spawn(process.execPath, words, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] }));
}

function startTools(part: Part, origin: string): void {
  const project = part === 'console' ? 'apps/console' : 'tsconfig.json';
  runTool('typescript/bin/tsc', ['-p', project, '--noEmit', '--watch', '--preserveWatchOutput'], root);
  if (part === 'console') runTool('vite/bin/vite.js', [], `${root}apps/console`, { CATALOG_ORIGIN: origin });
}

await runProgram(async () => {
  const part = partOf(process.argv.slice(2));
  const fromSources = part === 'console' ? undefined : part;
  await runSystem({
    fromSources,
    onReady: (settings) => {
      if (fromSources) say(`${fromSources} runs from its sources. Debugger: ${inspectorAddress}`);
      startTools(part, originOf(settings));
    },
    onStop: () => {
      for (const child of children) child.kill();
    },
  });
});
