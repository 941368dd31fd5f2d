import { fileURLToPath } from 'node:url';
import { CannotStartError } from './launcher/cannot-start.error.ts';
import { openDataFolder } from './launcher/data-folder.ts';
import { readLauncherSettings } from './launcher/launcher-settings.ts';
import { refuseTakenPort } from './launcher/origin-port.ts';
import { System } from './launcher/system.ts';
import { welcomeOf } from './launcher/welcome.ts';

/** Runs the whole system until a signal requests its end. */
async function main(say: (line: string) => void): Promise<void> {
  const stopAsked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.on(signal, () => {
        resolve();
      });
    }
  });
  const settings = readLauncherSettings(process.env, process.cwd());
  await refuseTakenPort(settings);
  const { folder, lock } = await openDataFolder(settings.dataFolder);
  const root = fileURLToPath(new URL('..', import.meta.url));
  const system = new System({ root, settings, environment: process.env, folder, say });
  try {
    const started = system.start().then((running) => {
      say(welcomeOf(running, folder));
    });
    await Promise.race([started, stopAsked]);
    await stopAsked;
    say('Stopping ...');
  } finally {
    await system.stop();
    lock.release();
  }
  say('Stopped.');
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
