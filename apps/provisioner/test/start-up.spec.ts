import { TestSystem } from './support/system.js';

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
});
