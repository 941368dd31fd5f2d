import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux and macOS give to every connection and every server that asks for none. */
const [lowest, highest] = [20_000, 29_999];
const maxAttempts = 100;

/** A TCP port that nobody listens on at 127.0.0.1, and that nobody is given by chance before a server takes it. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    if (await isFree(port, '127.0.0.1')) return port;
  }
  throw new Error(`No port of 127.0.0.1 from ${String(lowest)} to ${String(highest)} could be listened on.`);
}

/** Whether a server could listen there now. */
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
