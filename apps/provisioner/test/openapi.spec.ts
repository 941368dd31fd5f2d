import { readFile } from 'node:fs/promises';
import { omissionsOf, type Description as WholeDescription } from '../../../test/support/described-operations.ts';
import { listRows } from '../../../test/support/listed-in-page.ts';
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

describe('GET /provisioner/docs/openapi.json', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should equal the committed document (after a change, run npm run docs:openapi)', async () => {
    const committed = await readFile(new URL('../../../docs/openapi/provisioner.json', import.meta.url), 'utf8');
    expect((await system.get('/provisioner/docs/openapi.json')).body).toEqual(JSON.parse(committed));
  });

  it('should be the source of the lists in docs/integrate.md (after a change, run npm run docs:openapi)', async () => {
    const { body: described } = await system.get('/provisioner/docs/openapi.json');
    const { written, demanded } = listRows('provisioner', described);
    expect(written).toEqual(demanded);
  });

  it('should describe every operation, parameter and tag', async () => {
    const { body } = await system.get('/provisioner/docs/openapi.json');
    expect(omissionsOf(body as unknown as WholeDescription)).toEqual([]);
  });

  it('should describe every response of every operation with an example', async () => {
    const { paths } = (await system.get('/provisioner/docs/openapi.json')).body as unknown as Description;
    const incomplete = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody, responses }]) => {
        const bodies = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
        const undescribed = Object.entries(responses).filter(([status, { content }]) => status !== '304' && !content);
        const isComplete =
          undescribed.length === 0 && '403' in responses && bodies.every((each) => each.schema && each.example);
        return isComplete ? [] : [`${method} ${path}`];
      }),
    );
    expect(incomplete).toEqual([]);
  });

  it('should be displayed by a page without content from other hosts', async () => {
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
