import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWhatIsNotBuilt } from './launcher/build.ts';
import { CannotStartError } from './launcher/cannot-start.error.ts';
import { DataFolder } from './launcher/data-folder.ts';
import { EmbeddedPostgres } from './launcher/embedded-postgres.ts';
import { keptSecrets } from './launcher/kept-secrets.ts';
import { originOf, readLauncherSettings } from './launcher/launcher-settings.ts';
import { provisionerV8Options, sampleSettings } from './launcher/services.ts';

interface CommandLine {
  readonly script: string;
  /** The setting that all commands require. */
  readonly needed: string;
  /** Options of Node itself. */
  readonly nodeOptions: readonly string[];
}

const commandLines: Readonly<Record<string, CommandLine>> = {
  catalog: { script: 'apps/catalog-api/dist/cli.js', needed: 'DATABASE_URL', nodeOptions: [] },
  provisioner: { script: 'apps/provisioner/dist/cli.js', needed: 'SOURCE_URL', nodeOptions: provisionerV8Options },
};

/**
 * Runs a command line of a service (`npm run catalog -- <command>`, `npm run provisioner -- <command>`). If the
 * environment lacks the required setting, the command works on the data of `npm start`.
 */
async function main([service = '', ...words]: readonly string[]): Promise<number> {
  const commandLine = commandLines[service];
  if (!commandLine)
    throw new CannotStartError(
      `The service "${service}" has no command line; use ${Object.keys(commandLines).join(' or ')}.`,
    );
  const root = fileURLToPath(new URL('..', import.meta.url));
  const say = (line: string): void => {
    console.error(line);
  };
  await buildWhatIsNotBuilt({ root, say, signal: AbortSignal.timeout(600_000) });
  const isSet = Boolean(process.env[commandLine.needed]?.trim());
  const env = isSet ? process.env : { ...process.env, ...(await settingsOfStart()) };
  const script = join(root, commandLine.script);
  // Ctrl-C reaches the command too, and the command decides how it ends.
  process.on('SIGINT', () => undefined);
  return (
    spawnSync(process.execPath, [...commandLine.nodeOptions, script, ...words], { env, stdio: 'inherit' }).status ?? 1
  );
}

/** Returns the settings of the system of `npm start`, or none if `npm start` has not run in this folder. */
async function settingsOfStart(): Promise<Record<string, string>> {
  const settings = readLauncherSettings(process.env, process.cwd());
  const folder = new DataFolder(settings.dataFolder);
  const portsFile = folder.fileOf('run/ports.json');
  if (!existsSync(portsFile)) return {};
  const { postgres } = JSON.parse(await readFile(portsFile, 'utf8')) as { postgres: number };
  const own = await EmbeddedPostgres.prepare(folder.postgres, postgres);
  return {
    ...(await keptSecrets(folder.fileOf('secrets.json'))),
    DATABASE_URL: process.env['DATABASE_URL']?.trim() || own.urlOf('catalog'),
    QUEUE_URL: process.env['QUEUE_URL']?.trim() || process.env['DATABASE_URL']?.trim() || own.urlOf('queue'),
    SERVER_URL: process.env['SERVER_URL']?.trim() || originOf(settings),
    ...Object.fromEntries(Object.entries(sampleSettings(folder)).filter(([name]) => !process.env[name]?.trim())),
  };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CannotStartError ? error.message : error);
  process.exitCode = 1;
}
