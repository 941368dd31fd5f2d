import { once } from 'node:events';
import { createServer } from 'node:net';
import { CannotStartError } from './cannot-start.error.ts';
import type { LauncherSettings } from './launcher-settings.ts';

/** @throws CannotStartError if no server can listen at the origin's address now */
export async function refuseTakenPort({ host, port }: LauncherSettings): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw listenErrorOf(cause, { host, port });
  }
  server.close();
  await once(server, 'close');
}

/** Converts the system's error of a server that cannot listen at the origin's address. */
export function listenErrorOf(cause: unknown, address: Pick<LauncherSettings, 'host' | 'port'>): CannotStartError {
  return new CannotStartError(messageOf(cause as NodeJS.ErrnoException, address), cause);
}

function messageOf(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: Pick<LauncherSettings, 'host' | 'port'>,
): string {
  const place = `port ${String(port)} of ${host}`;
  if (code === 'EADDRINUSE') return `Another program uses ${place}. Stop that program, or set PORT to a free port.`;
  if (code === 'EACCES') return `This account may not open ${place}. Set PORT to 1024 or more.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${host} is not an address of this machine. Set HOST to one, or leave it unset for 127.0.0.1.`;
  }
  return `The origin cannot listen on ${place}: ${message}. Set HOST or PORT.`;
}
