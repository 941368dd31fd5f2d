import { once } from 'node:events';
import { createServer } from 'node:net';

/** A range below the ports that Linux and macOS assign automatically. */
const [lowest, highest] = [20_000, 29_999];
const maxAttempts = 100;

/** Returns a free TCP port of 127.0.0.1. The operating system does not assign this port to another program by itself. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    if (await isFree(port, '127.0.0.1')) return port;
  }
  throw new Error(`No port of 127.0.0.1 from ${String(lowest)} to ${String(highest)} is free.`);
}

/** Whether a server can listen at the address now. */
export async function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
