import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../scripts/free-port.ts';
import { TestSystem } from './support/system.js';

const startSeconds = 4;

describe('start of the provisioner', () => {
  it('should not wait for a store when neither source nor storage is a bucket', async () => {
    const unreachable = 'http://127.0.0.1:9';
    const system = await TestSystem.create({
      SOURCE_S3_ENDPOINT: unreachable,
      STORAGE_S3_ENDPOINT: unreachable,
      START_TIMEOUT: '0',
    });
    await system.startServer();
    expect((await system.get('/health/ready')).status).toBe(200);
    await system.stop();
  });

  it('should wait for all dependencies concurrently', async () => {
    await import('../src/app.module.js');
    const port = await freePort();
    const url = `http://127.0.0.1:${String(port)}`;
    const system = await TestSystem.create({
      ...{ SOURCE_URL: 's3://source', SOURCE_S3_ENDPOINT: url },
      ...{ SOURCE_S3_ACCESS_KEY_ID: 'a', SOURCE_S3_SECRET_ACCESS_KEY: 'b' },
      ...{ QUEUE_URL: `redis://127.0.0.1:${String(await freePort())}`, START_TIMEOUT: String(startSeconds) },
    });
    const startedAt = performance.now();
    const starting = expect(system.startServer()).rejects.toThrow('QUEUE_URL does not answer');
    await setTimeout((startSeconds - 1) * 1000); // the store starts shortly before the limit
    const store = createServer((socket) => socket.end()).listen(port, '127.0.0.1');
    await starting;
    expect(performance.now() - startedAt).toBeLessThan((2 * startSeconds - 1.5) * 1000);
    store.close();
    await system.stop();
  }, 30_000);
});
