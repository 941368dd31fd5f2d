import { createServer } from 'node:http';
import { once } from 'node:events';
import { freePort, isFree } from './free-port.ts';

/** The lowest port that Linux assigns to programs that request any port. The range of macOS starts higher. */
const firstEphemeralPort = 32_768;

describe(freePort.name, () => {
  it('should return a free port below the range of automatically assigned ports', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(Math.max(...ports)).toBeLessThan(firstEphemeralPort);
    const [port = 0] = ports;
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(await isFree(port, '127.0.0.1')).toBe(false);
    server.close();
    await once(server, 'close');
    expect(await isFree(port, '127.0.0.1')).toBe(true);
  });
});
