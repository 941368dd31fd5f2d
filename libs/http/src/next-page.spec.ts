import type { FastifyRequest } from 'fastify';
import { nextPageLink } from './next-page.js';

describe(nextPageLink.name, () => {
  const link = (originalUrl: string, servedOrigin = 'https://data.example.org'): string =>
    nextPageLink({ originalUrl, servedOrigin } as FastifyRequest, 'abc');

  it('should return an absolute address with the parameters of the request', () => {
    expect(link('/rdc/api/datasets?limit=2&cursor=old')).toBe(
      '<https://data.example.org/rdc/api/datasets?limit=2&cursor=abc>; rel="next"',
    );
  });

  it('should not contain the key', () => {
    expect(link('/imports?API_KEY=secret&limit=1')).not.toContain('secret');
  });

  it('should keep encoded parameters and name no other host when the path begins with slashes', () => {
    expect(link('//evil.example.org/x?_note=what?&a=%26')).toBe(
      '<https://data.example.org/evil.example.org/x?_note=what%3F&a=%26&cursor=abc>; rel="next"',
    );
  });

  it('should return a relative address when the origin is unknown', () => {
    expect(link('/api/datasets?limit=2', '')).toBe('</api/datasets?limit=2&cursor=abc>; rel="next"');
  });
});
