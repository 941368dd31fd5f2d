import fastify, { type FastifyInstance } from 'fastify';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { serveConsole } from './console.js';

const page = '<base href="/console/" /><meta property="csp-nonce" nonce="__nonce__" />';

describe(serveConsole.name, () => {
  let folder: string;
  let instance: FastifyInstance;
  let url: string;

  beforeAll(async () => {
    folder = `${await mkdtemp(join(tmpdir(), 'console-'))}/`;
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), page);
    await writeFile(join(folder, 'assets/main-1a2b.js'), 'export {};');
    await writeFile(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync('export {};'));
    await writeFile(join(folder, 'secret.txt'), 'not public');
    instance = fastify({ routerOptions: { ignoreTrailingSlash: true } });
    await serveConsole(instance, { basePath: '/centre', folder });
    url = await instance.listen({ host: '127.0.0.1', port: 0 });
  });

  afterAll(async () => {
    await instance.close();
    await rm(folder, { recursive: true });
  });

  it.each(['/console', '/console/', '/console/datasets/12', '/console/imports/runs?state=failed'])(
    'should serve the page at %s with the prefix of the service',
    async (path) => {
      const answer = await fetch(url + path);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await answer.text()).toContain('<base href="/centre/console/"');
    },
  );

  it('should forbid inline scripts and allow inline styles with a nonce of one response only', async () => {
    const nonces = await Promise.all(
      ['/console', '/console'].map(async (path) => {
        const answer = await fetch(url + path);
        const policy = answer.headers.get('content-security-policy') ?? '';
        expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
        expect(policy).not.toContain('unsafe');
        const [, nonce = ''] = /nonce="([^"]+)"/.exec(await answer.text()) ?? [];
        expect(policy).toContain(`'nonce-${nonce}'`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it.each([
    ['br', 'br'],
    ['gzip', null],
  ])('should serve an asset to a browser that accepts %s with the encoding %s', async (accepted, encoding) => {
    const answer = await fetch(`${url}/console/assets/main-1a2b.js`, { headers: { 'Accept-Encoding': accepted } });
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      encoding,
      expect.stringMatching(/accept-encoding/i),
    ]);
    expect(answer.headers.get('content-type')).toContain('javascript');
    expect(await answer.text()).toBe('export {};');
  });

  it('should serve the assets as immutable and no other file of the folder', async () => {
    const script = await fetch(`${url}/console/assets/main-1a2b.js`);
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(script.headers.get('content-type')).toContain('javascript');
    const gone = await fetch(`${url}/console/assets/gone.js?API_KEY=a-secret-key`);
    expect(await gone.text()).not.toContain('a-secret-key');
    for (const path of ['/console/assets/gone.js', '/console/assets/..%2fsecret.txt', '/console/assets/']) {
      const answer = await fetch(url + path);
      expect([path, answer.ok, (await answer.text()).includes('not public')]).toEqual([path, false, false]);
    }
  });
});

describe('a running catalog', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
  });

  afterAll(() => catalog.stop());

  it('should answer 404 with the error envelope for an unknown asset of the console', async () => {
    const answer = await catalog.fetch('/console/assets/nothing.js');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ status: 'Error', more: { code: 'route.unknown' } });
  });
});
