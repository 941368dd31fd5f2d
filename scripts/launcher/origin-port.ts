import { once } from 'node:events';
import { createServer } from 'node:net';
import { CannotStartError } from './cannot-start.error.ts';
import type { LauncherSettings } from './launcher-settings.ts';

/** @throws CannotStartError when nobody could listen at the origin's address now */
export async function refuseTakenPort({ host, port }: LauncherSettings): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new CannotStartError(sentenceOf(cause as NodeJS.ErrnoException, host, port), cause);
  }
  server.close();
  await once(server, 'close');
}

function sentenceOf({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const place = `port ${String(port)} of ${host}`;
  if (code === 'EADDRINUSE') return `Another program uses ${place}; stop it, or set PORT to another one.`;
  if (code === 'EACCES') return `You may not open ${place}; set PORT to one from 1024.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is not an address of this machine.`;
  return `The origin cannot listen on ${place}: ${message}.`;
}
