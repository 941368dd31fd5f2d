import { readFile } from 'node:fs/promises';
import { statusByCode } from '../../libs/errors/src/codes.js';

/** The codes of requests that reach no operation: the path has no such method, or the request is not valid HTTP. */
const withoutOperation = ['method.not_allowed', 'request.timeout', 'method.unknown', 'version.unknown'];

describe('the OpenAPI documents', () => {
  it('should list every error code at an operation, except the codes of requests that reach no operation', async () => {
    const listed = new Set<string>();
    for (const service of ['catalog-api', 'provisioner']) {
      const text = await readFile(new URL(`../../docs/openapi/${service}.json`, import.meta.url), 'utf8');
      const { paths } = JSON.parse(text) as { paths: unknown };
      JSON.stringify(paths, (key, value: unknown) => {
        if (key === 'x-error-codes') for (const code of value as readonly string[]) listed.add(code);
        return value;
      });
    }
    const missing = Object.keys(statusByCode).filter((code) => !listed.has(code));
    expect(missing).toEqual(withoutOperation);
  });
});
