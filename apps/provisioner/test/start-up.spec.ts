import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../scripts/free-port.ts';
import { TestSystem } from './support/system.js';

const startSeconds = 4;

describe('a start', () => {
  it('should not wait for a store while neither source nor storage is a bucket', async () => {
    const nobody = 'http://127.0.0.1:9';
    const system = await TestSystem.create({
      SOURCE_S3_ENDPOINT: nobody,
      STORAGE_S3_ENDPOINT: nobody,
      START_TIMEOUT: '0',
    });
    await system.startServer();
    expect((await system.get('/health/ready')).status).toBe(200);
    await system.stop();
  });

  it('should wait for all that it needs no longer than for one', async () => {
    await import('../src/app.module.js');
    const port = await freePort();
    const url = `http://127.0.0.1:${String(port)}`;
    const system = await TestSystem.create({
      ...{ SOURCE_URL: 's3://source', SOURCE_S3_ENDPOINT: url },
      ...{ SOURCE_S3_ACCESS_KEY_ID: 'a', SOURCE_S3_SECRET_ACCESS_KEY: 'b' },
      ...{ QUEUE_URL: `redis://127.0.0.1:${String(await freePort())}`, START_TIMEOUT: String(startSeconds) },
    });
    const begun = performance.now();
    const starting = expect(system.startServer()).rejects.toThrow('QUEUE_URL does not answer');
    await setTimeout((startSeconds - 1) * 1000);
    const store = createServer((socket) => socket.end()).listen(port, '127.0.0.1');
    await starting;
    expect(performance.now() - begun).toBeLessThan((2 * startSeconds - 1.5) * 1000);
    store.close();
    await system.stop();
  }, 30_000);
});
