import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort } from '../../../../scripts/free-port.ts';
import { createTestDatabase } from '../../../../test/support/test-database.ts';
import { hasRedis, TestRedis } from '../../test/support/redis.js';
import { pingQueue } from './queue-answer.js';

describe(pingQueue.name, () => {
  it.each(['postgres', 'redis'])('should not take the open port of a %s for an answer', async (scheme) => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(pingQueue(`${scheme}://name:word@127.0.0.1:${String(port)}/0`)).rejects.toThrow();
    server.close();
  });

  it.each(['postgres', 'redis'])('should say that a %s is not there', async (scheme) => {
    await expect(pingQueue(`${scheme}://127.0.0.1:${String(await freePort())}`)).rejects.toThrow('ECONNREFUSED');
  });

  it('should be content with a Postgres that answers, were it that it has no such database', async () => {
    const { url, drop } = await createTestDatabase();
    await expect(pingQueue(url)).resolves.toBeUndefined();
    await drop();
    await expect(pingQueue(url)).resolves.toBeUndefined();
  });

  // Without redis-server this is reported as skipped, which counts as failed where everything must run.
  (hasRedis ? it : it.skip)(
    'should be content with a Redis that answers, were it that it knows no such name',
    async () => {
      const redis = await TestRedis.start();
      await expect(pingQueue(redis.url)).resolves.toBeUndefined();
      await expect(pingQueue(redis.url.replace('//', '//nobody:wrong@'))).resolves.toBeUndefined();
      await redis.stop();
    },
  );
});
