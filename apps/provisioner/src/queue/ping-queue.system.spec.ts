import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort } from '../../../../scripts/free-port.ts';
import { createTestDatabase } from '../../../../test/support/test-database.ts';
import { hasRedis, TestRedis } from '../../test/support/redis.js';
import { pingQueue } from './ping-queue.js';

describe(pingQueue.name, () => {
  it.each(['postgres', 'redis'])(
    'should fail when the port of a %s server is open but the server does not answer',
    async (scheme) => {
      const server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await expect(pingQueue(`${scheme}://name:word@127.0.0.1:${String(port)}/0`)).rejects.toThrow();
      server.close();
    },
  );

  it.each(['postgres', 'redis'])('should fail with ECONNREFUSED when no %s server listens', async (scheme) => {
    await expect(pingQueue(`${scheme}://127.0.0.1:${String(await freePort())}`)).rejects.toThrow('ECONNREFUSED');
  });

  it('should resolve when a Postgres server answers, with or without the database', async () => {
    const { url, drop } = await createTestDatabase();
    await expect(pingQueue(url)).resolves.toBeUndefined();
    await drop();
    await expect(pingQueue(url)).resolves.toBeUndefined();
  });

  // Skipped without redis-server. A run that requires all tests counts a skipped test as failed.
  (hasRedis ? it : it.skip)(
    'should resolve when a Redis server answers, even if it refuses the credentials',
    async () => {
      const redis = await TestRedis.start();
      await expect(pingQueue(redis.url)).resolves.toBeUndefined();
      await expect(pingQueue(redis.url.replace('//', '//nobody:wrong@'))).resolves.toBeUndefined();
      await redis.stop();
    },
  );
});
