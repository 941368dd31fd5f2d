import { createServer } from 'node:http';
import { once } from 'node:events';
import { freePort, isFree } from './free-port.ts';

/** From here on Linux hands out ports by itself; macOS does so from a higher one. */
const firstGivenByChance = 32_768;

describe(freePort.name, () => {
  it('should give a port that can be listened on, and that nobody is given who asks for none', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(Math.max(...ports)).toBeLessThan(firstGivenByChance);
    const [port = 0] = ports;
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(await isFree(port, '127.0.0.1')).toBe(false);
    server.close();
    await once(server, 'close');
    expect(await isFree(port, '127.0.0.1')).toBe(true);
  });
});
