import { readFile } from 'node:fs/promises';
import { TestSystem } from './support/system.js';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: unknown; readonly example?: unknown }>>;
}

describe('the OpenAPI description', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should be the committed one; after a change run npm run docs:openapi', async () => {
    const committed = await readFile(new URL('../../../docs/openapi/provisioner.json', import.meta.url), 'utf8');
    expect((await system.get('/provisioner/docs/openapi.json')).body).toEqual(JSON.parse(committed));
  });

  it('should say what every operation answers with, also when it fails, and give examples', async () => {
    const { paths } = (await system.get('/provisioner/docs/openapi.json')).body as unknown as Description;
    const lacking = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody, responses }]) => {
        const bodies = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
        const silent = Object.entries(responses).filter(([status, { content }]) => status !== '304' && !content);
        const isWhole =
          silent.length === 0 && '403' in responses && bodies.every((each) => each.schema && each.example);
        return isWhole ? [] : [`${method} ${path}`];
      }),
    );
    expect(lacking).toEqual([]);
  });

  it('should be browsable with nothing from elsewhere', async () => {
    const page = await system.get('/provisioner/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => String(address));
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      const { pathname, host } = new URL(asset, 'http://here/provisioner/docs');
      expect([host, (await system.get(pathname)).status]).toEqual(['here', 200]);
    }
  });
});
