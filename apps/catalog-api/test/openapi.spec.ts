import { readFile } from 'node:fs/promises';
import { omissionsOf, type Description as WholeDescription } from '../../../test/support/described-operations.ts';
import { listRows } from '../../../test/support/listed-in-page.ts';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';

/** The tested parts of the description. */
interface Description {
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly type?: string } }[];
  readonly requestBody?: Body;
  readonly responses: Record<string, Body>;
}

interface Body {
  readonly content?: Record<string, { schema?: unknown; example?: unknown }>;
}

describe('GET /docs/openapi.json', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
  });

  afterAll(() => catalog.stop());

  it('should equal the committed document (after a change, run npm run docs:openapi)', async () => {
    const committed = await readFile(new URL('../../../docs/openapi/catalog-api.json', import.meta.url), 'utf8');
    const served = await (await catalog.fetch('/docs/openapi.json')).json();
    expect(served).toEqual(JSON.parse(committed));
  });

  it('should be the source of the lists in docs/integrate.md (after a change, run npm run docs:openapi)', async () => {
    const described = (await (await catalog.fetch('/docs/openapi.json')).json()) as object;
    const { written, demanded } = listRows('catalog-api', described);
    expect(written).toEqual(demanded);
  });

  it('should have an example of every request and response body', async () => {
    const { paths } = (await (await catalog.fetch('/docs/openapi.json')).json()) as Description;
    const lacking = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody, responses }]) =>
        [requestBody, ...Object.values(responses)]
          .flatMap((body) => Object.values(body?.content ?? {}))
          .filter(({ schema, example }) => schema === undefined || example === undefined)
          .map(() => `${method} ${path}`),
      ),
    );
    expect(lacking).toEqual([]);
  });

  it('should describe every operation, parameter and tag', async () => {
    const description = (await (await catalog.fetch('/docs/openapi.json')).json()) as WholeDescription;
    expect(omissionsOf(description)).toEqual([]);
  });

  it('should contain no request example that publishes, chooses a key or gives a role', async () => {
    const { paths } = (await (await catalog.fetch('/docs/openapi.json')).json()) as Description;
    const bodies = Object.values(paths)
      .flatMap(Object.values)
      .map(({ requestBody }: Operation) => requestBody);
    const examples = bodies.flatMap((body) => Object.values(body?.content ?? {})).map(({ example }) => example);
    expect(examples.length).toBeGreaterThan(40);
    const harmful = examples.filter((each) =>
      /"(public|published|is_public)":true|"(key|roles)":/.test(JSON.stringify(each)),
    );
    expect(harmful).toEqual([]);
  });

  it('should state the type of every parameter', async () => {
    const { paths } = (await (await catalog.fetch('/docs/openapi.json')).json()) as Description;
    const parameters = Object.values(paths)
      .flatMap(Object.values)
      .flatMap(({ parameters = [] }: Operation) => parameters);
    expect(parameters.length).toBeGreaterThan(0);
    expect(parameters.filter(({ schema }) => schema.type === undefined)).toEqual([]);
  });

  it.each(['projects', 'datasets', 'contracts', 'partners', 'cohorts'])(
    'should describe the list of %s with the members of the response',
    async (list) => {
      const { paths } = (await (await catalog.fetch('/docs/openapi.json')).json()) as Description;
      const shown = paths[`/api/${list}`]?.['get']?.responses['200']?.content?.['application/json']?.example;
      const answer = (await (await catalog.fetch(`/api/${list}`, { key: globalKey })).json()) as object;
      expect(shown).toMatchObject({ ...answer, [Object.keys(answer).at(-1) ?? '']: expect.any(Array) as unknown });
      expect(Object.keys(shown as object)).toEqual(Object.keys(answer));
    },
  );

  it('should describe the response of every read', async () => {
    const { paths } = (await (await catalog.fetch('/docs/openapi.json')).json()) as Description;
    const silent = Object.entries(paths).filter(([, operations]) => {
      const answer = operations['get']?.responses['200'];
      return answer !== undefined && answer.content === undefined;
    });
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('should link to the console, the provisioner and the guides, which the catalog serves', async () => {
    const description = (await (await catalog.fetch('/docs/openapi.json')).json()) as WholeDescription;
    const links = [...String(description.info['description']).matchAll(/^- \[[^\]]+\]\(([^)]+)\)$/gm)].map(
      ([, path = '']) => path,
    );
    expect(links).toEqual(expect.arrayContaining(['/console', '/provisioner/docs', '/docs/guides/integrate.md']));
    for (const guide of links.filter((path) => path.startsWith('/docs/guides/'))) {
      const answer = await catalog.fetch(guide);
      expect([guide, answer.status, answer.headers.get('content-type')]).toEqual([
        guide,
        200,
        'text/plain; charset=utf-8',
      ]);
      expect(await answer.text()).toMatch(/^# /);
    }
  });

  it.each(['openapi', 'nothing.md', '..%2fREADME.md', '%2e%2e%2fREADME.md'])(
    'should answer 404 for the unknown guide %s',
    async (file) => {
      const answer = await catalog.fetch(`/docs/guides/${file}`);
      expect([answer.status, await answer.json()]).toMatchObject([404, { more: { code: 'route.unknown' } }]);
    },
  );

  it('should state the contact when CONTACT_EMAIL is set, and no contact otherwise', async () => {
    const contactOf = async ({ fetch }: RunningCatalog): Promise<unknown> =>
      ((await (await fetch('/docs/openapi.json')).json()) as WholeDescription).info['contact'];
    const other = await startCatalog({ CONTACT_EMAIL: 'data-steward@example.org' });
    try {
      expect(await contactOf(other)).toEqual({ email: 'data-steward@example.org' });
      expect(await contactOf(catalog)).toBeUndefined();
    } finally {
      await other.stop();
    }
  });

  it('should be displayed at /docs without content from other hosts', async () => {
    const response = await catalog.fetch('/docs');
    const page = await response.text();
    expect(response.headers.get('content-type')).toContain('text/html');
    const assets = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => String(address));
    expect(assets.length).toBeGreaterThan(2);
    // The content security policy admits scripts of this origin, but no inline scripts.
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page).not.toMatch(/<script\b[^>]*>\s*[^<\s]|\son[a-z]+="/);
    for (const asset of assets) {
      const url = new URL(asset, `${catalog.url}/docs`);
      expect(url.origin).toBe(new URL(catalog.url).origin);
      const served = await fetch(url);
      await served.arrayBuffer();
      expect([asset, served.status]).toEqual([asset, 200]);
    }
  });
});
