import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort } from '../../../../scripts/free-port.ts';
import { createTestDatabase } from '../../../../test/support/test-database.ts';
import { hasRedis, TestRedis } from '../../test/support/redis.js';
import { askQueue } from './queue-answer.js';

describe(askQueue.name, () => {
  it.each(['postgres', 'redis'])('should not take the open port of a %s for an answer', async (scheme) => {
    const server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(askQueue(`${scheme}://name:word@127.0.0.1:${String(port)}/0`)).rejects.toThrow();
    server.close();
  });

  it.each(['postgres', 'redis'])('should say that a %s is not there', async (scheme) => {
    await expect(askQueue(`${scheme}://127.0.0.1:${String(await freePort())}`)).rejects.toThrow('ECONNREFUSED');
  });

  it('should be content with a Postgres that answers, were it that it has no such database', async () => {
    const { url, drop } = await createTestDatabase();
    await expect(askQueue(url)).resolves.toBeUndefined();
    await drop();
    await expect(askQueue(url)).resolves.toBeUndefined();
  });

  // Without redis-server this is reported as skipped, which counts as failed where everything must run.
  (hasRedis ? it : it.skip)(
    'should be content with a Redis that answers, were it that it knows no such name',
    async () => {
      const redis = await TestRedis.start();
      await expect(askQueue(redis.url)).resolves.toBeUndefined();
      await expect(askQueue(redis.url.replace('//', '//nobody:wrong@'))).resolves.toBeUndefined();
      await redis.stop();
    },
  );
});
