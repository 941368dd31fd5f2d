import jsonld from 'jsonld';
import { Parser, Writer, type Quad } from 'n3';
import { statementsOf, type Linked } from '../../../test/linked-data.js';
import { richCatalog } from '../../../test/linked-records.js';
import { keys, startSmallCatalog, type SmallCatalog } from '../../../test/small-catalog.js';

const rich = `/api/dcat/datasets/${encodeURIComponent('RDC 50/é?<&')}`;
const paths = ['/api/dcat', '/api/dcat?limit=1', rich, '/api/dcat/projects/RDC_500'];

/** Returns the canonical form of statements, which is the same for all names of blank nodes. */
async function canonical(statements: readonly Quad[]): Promise<string[]> {
  const text = new Writer({ format: 'N-Quads' }).quadsToString([...statements]);
  const options = { inputFormat: 'application/n-quads', format: 'application/n-quads', algorithm: 'RDFC-1.0' };
  const nquads = await jsonld.canonize(
    text as unknown as jsonld.JsonLdDocument,
    options as unknown as jsonld.Options.Normalize,
  );
  return nquads.split('\n');
}

describe('a format of RDF', () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog(richCatalog, {
      DATA_CONTACT_EMAIL: 'data@example.org',
      DATA_CONTACT_PAGE: 'https://example.org/contact?a=1&b=2',
      ACCESS_BODY: 'Body <of> "access"',
      ACCESS_BODY_EMAIL: 'access@example.org',
    });
    const healthdcat = {
      categories: ['EHRS'],
      structured: false,
      provenance: 'Line\r\n\ttab "quote" \\ & <b> \u{1f600}\u0001',
    };
    const body = JSON.stringify({ metadata: { healthdcat, number_of_records: 12 } });
    const answer = await catalog.fetch(rich.replace('dcat/', ''), { method: 'PATCH', body, key: keys.global });
    expect(answer.status).toBe(200);
  });

  afterAll(() => catalog.stop());

  const read = (path: string, Accept: string): Promise<Response> => catalog.fetch(path, { headers: { Accept } });

  it.each(paths)('should contain the same statements in Turtle as in JSON-LD: %s', async (path) => {
    const linked = (await (await read(path, 'application/ld+json')).json()) as Linked;
    const turtle = await read(path, 'text/turtle');
    expect([turtle.status, turtle.headers.get('content-type')]).toEqual([200, 'text/turtle; charset=utf-8']);
    const statements = new Parser({ format: 'Turtle' }).parse(await turtle.text());
    expect(statements.length).toBeGreaterThan(5);
    expect(await canonical(statements)).toEqual(await canonical(await statementsOf(linked)));
  });

  it.each(paths)('should be well-formed RDF/XML: %s', async (path) => {
    const answer = await read(path, 'application/rdf+xml');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/rdf+xml; charset=utf-8']);
    const text = await answer.text();
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<rdf:RDF\n[^]*<\/rdf:RDF>\n$/);
    expect(text).not.toContain('\u0001');
    expect(text.match(/<rdf:Description /g)?.length).toBe(text.match(/<\/rdf:Description>/g)?.length);
  });

  it.each([
    [undefined, 'application/ld+json'],
    ['*/*', 'application/ld+json'],
    ['application/json', 'application/ld+json'],
    ['TEXT/Turtle', 'text/turtle'],
    ['text/csv, text/turtle;q=0.5', 'text/turtle'],
    ['text/turtle;q=0.5, application/rdf+xml', 'application/rdf+xml'],
    ['text/turtle;q=0, */*', 'application/ld+json'],
  ])('should be chosen by the header Accept: %s', async (accept, type) => {
    for (const path of paths) {
      const answer = await catalog.fetch(path, { headers: accept === undefined ? {} : { Accept: accept } });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, `${type}; charset=utf-8`]);
      expect(answer.headers.get('vary')).toContain('Accept');
    }
  });

  it.each(['text/csv', 'image/*', 'application/n-quads'])(
    'should be refused with 406 if unknown: %s',
    async (accept) => {
      for (const path of paths) {
        const answer = await read(path, accept);
        const { more } = (await answer.json()) as { more: { code: string; allowed: string[] } };
        expect([path, answer.status, more.code]).toEqual([path, 406, 'response.not_acceptable']);
        expect(more.allowed).toContain('text/turtle');
      }
    },
  );

  it.each(paths)('should have an entity tag of its own and the time of the last change: %s', async (path) => {
    const types = ['application/ld+json', 'text/turtle', 'application/rdf+xml'];
    const answers = await Promise.all(types.map((type) => read(path, type)));
    const tags = answers.map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(3);
    for (const { headers } of answers) {
      expect(Date.now() - Date.parse(headers.get('last-modified') ?? '')).toBeLessThan(600_000);
    }
    for (const [index, Accept] of types.entries()) {
      const statusWith = async (tag: string): Promise<number> =>
        (await catalog.fetch(path, { headers: { Accept, 'If-None-Match': tag } })).status;
      expect(await Promise.all(tags.map(statusWith))).toEqual(tags.map((_, other) => (other === index ? 304 : 200)));
    }
  });

  it('should answer HEAD like GET without a body', async () => {
    for (const path of paths) {
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map((method) => catalog.fetch(path, { method, headers: { Accept: 'text/turtle' } })),
      );
      expect([path, head?.status, head?.headers.get('etag')]).toEqual([path, 200, get?.headers.get('etag')]);
      expect(head?.headers.get('content-type')).toBe('text/turtle; charset=utf-8');
    }
  });
});
