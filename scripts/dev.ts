import { spawn, type ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { CannotStartError } from './launcher/cannot-start.error.ts';
import { openDataFolder } from './launcher/data-folder.ts';
import { originOf, readLauncherSettings } from './launcher/launcher-settings.ts';
import { refuseTakenPort } from './launcher/origin-port.ts';
import { inspectorAddress, serviceNames, type ServiceProcess } from './launcher/services.ts';
import { System } from './launcher/system.ts';
import { welcomeOf } from './launcher/welcome.ts';

/**
 * `npm run dev -- <part>`: runs the whole system like `npm start`, but one part of it from its sources. A service restarts
 * after each change of a source file, an SQL file or a library, and accepts a debugger. The console is served by Vite,
 * which replaces changed modules in the open page. A type checker runs next to the part.
 */
const parts = [...serviceNames, 'console'] as const;
type Part = (typeof parts)[number];

const root = fileURLToPath(new URL('..', import.meta.url));
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
  const options = {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'] as const,
    env: { ...process.env, ...environment },
  };
  children.push(
    spawn(process.execPath, [`${root}node_modules/${script}`, ...args], { ...options, stdio: [...options.stdio] }),
  );
}

function startTools(part: Part, origin: string): void {
  const project = part === 'console' ? 'apps/console' : 'tsconfig.json';
  runTool('typescript/bin/tsc', ['-p', project, '--noEmit', '--watch', '--preserveWatchOutput'], root);
  if (part === 'console') runTool('vite/bin/vite.js', [], `${root}apps/console`, { CATALOG_ORIGIN: origin });
}

async function main(say: (line: string) => void): Promise<void> {
  const part = partOf(process.argv.slice(2));
  const stopRequested = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => {
        resolve();
      });
  });
  const settings = readLauncherSettings(process.env, process.cwd());
  await refuseTakenPort(settings);
  const { folder, lock } = await openDataFolder(settings.dataFolder);
  const fromSources: ServiceProcess | undefined = part === 'console' ? undefined : part;
  const system = new System({ root, settings, environment: process.env, folder, say, fromSources });
  try {
    const started = system.start().then((running) => {
      say(welcomeOf(running, folder));
      if (fromSources) say(`${fromSources} runs from its sources. Debugger: ${inspectorAddress}`);
      startTools(part, originOf(settings));
    });
    await Promise.race([started, stopRequested]);
    await stopRequested;
    say('Stopping ...');
  } finally {
    for (const child of children) child.kill();
    await system.stop();
    lock.release();
  }
}

try {
  await main((line) => {
    console.log(line);
  });
} catch (error) {
  console.error(error instanceof CannotStartError ? error.message : error);
  process.exitCode = 1;
}
process.exit();
