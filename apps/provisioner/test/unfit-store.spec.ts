import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOfErrno } from '../src/model/failure.js';
import { openBucket } from '../src/s3/s3-location.js';
import { S3Storage } from '../src/storage/s3/s3-storage.js';
import type { StorageFailure } from '../src/model/storage-failure.js';
import { until } from '../../../test/support/until.ts';

/** The behaviour of a fake store. */
type Behaviour =
  'accepts everything' | 'replaces existing objects' | 'accepts wrong bytes' | 403 | 500 | 503 | 'breaks';

describe('S3Storage on an unfit store', () => {
  let server: Server;
  let behaviour: Behaviour;
  let calls = 0;
  let storage: S3Storage;

  beforeAll(async () => {
    const created = new Set<string>();
    const replaced = new Set<string>();
    server = createServer((request, response) => {
      calls += 1;
      request.resume().on('end', () => {
        if (behaviour === 'breaks') return request.socket.destroy();
        if (typeof behaviour === 'number') return response.writeHead(behaviour).end();
        const path = (request.url ?? '').split('?')[0] ?? '';
        const isSecond = behaviour !== 'accepts everything' && request.headers['if-none-match'] && created.has(path);
        const isLate = behaviour === 'accepts wrong bytes' && request.headers['if-match'] && replaced.has(path);
        if (request.method === 'PUT') (request.headers['if-match'] ? replaced : created).add(path);
        if (isSecond || isLate) return response.writeHead(412).end();
        return response.writeHead(200, { etag: '"1"' }).end('<ListBucketResult></ListBucketResult>');
      });
    }).listen(0, '127.0.0.1');
    await until(() => server.listening);
    const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const access = { endpoint, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' };
    storage = new S3Storage(openBucket('s3://bucket/prefix', access));
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['accepts everything', 'the store ignores If-None-Match'],
    ['replaces existing objects', 'the store ignores If-Match'],
    ['accepts wrong bytes', 'the store ignores x-amz-content-sha256'],
  ] as const)('should fail its probe when the store %s', async (storeBehaviour, message) => {
    behaviour = storeBehaviour;
    await expect(storage.probe()).rejects.toThrow(message);
  });

  it.each([
    [403, 'storage.denied', 1],
    [500, 'storage.io', 4],
    [503, 'storage.io', 4],
    ['breaks', 'storage.io', 4],
  ] as const)('should fail when the store answers %s, with %s after %s calls', async (storeBehaviour, code, count) => {
    behaviour = storeBehaviour;
    calls = 0;
    const failure: unknown = await storage.findCommit({ kind: 'dataset', id: 'DS-1' }).catch((error: unknown) => error);
    expect(codeOfErrno((failure as StorageFailure).errno, 'storage')).toBe(code);
    expect(calls).toBe(count);
  });
});
