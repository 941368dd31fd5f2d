import fastify, { type FastifyInstance } from 'fastify';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    await writeFile(join(folder, 'secret.txt'), 'not for anybody');
    instance = fastify({ routerOptions: { ignoreTrailingSlash: true } });
    await serveConsole(instance, { basePath: '/centre', folder });
    url = await instance.listen({ host: '127.0.0.1', port: 0 });
  });

  afterAll(async () => {
    await instance.close();
    await rm(folder, { recursive: true });
  });

  it.each(['/console', '/console/', '/console/datasets/12', '/console/imports/runs?state=failed'])(
    'should show the page at %s, below the prefix of the service',
    async (path) => {
      const answer = await fetch(url + path);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await answer.text()).toContain('<base href="/centre/console/"');
    },
  );

  it('should let the page run no script that stands in it, and apply only styles with a nonce used once', async () => {
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

  it('should serve its files for ever, and nothing else of the folder', async () => {
    const script = await fetch(`${url}/console/assets/main-1a2b.js`);
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(script.headers.get('content-type')).toContain('javascript');
    const gone = await fetch(`${url}/console/assets/gone.js?API_KEY=somebodys-key`);
    expect(await gone.text()).not.toContain('somebodys-key');
    for (const path of ['/console/assets/gone.js', '/console/assets/..%2fsecret.txt', '/console/assets/']) {
      const answer = await fetch(url + path);
      expect([path, answer.ok, (await answer.text()).includes('not for')]).toEqual([path, false, false]);
    }
  });
});

describe('a catalog whose console is not built, or built', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
  });

  afterAll(() => catalog.stop());

  it('should answer below /console in its own words, and never fail', async () => {
    const answer = await catalog.fetch('/console/assets/nothing.js');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ status: 'Error', more: { code: 'route.unknown' } });
  });
});
