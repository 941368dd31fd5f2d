import { readFileSync } from 'node:fs';
import { codeOfStatus, statusByCode } from './codes.js';

describe('docs/errors.md', () => {
  it('should list every code with its status, and no other', () => {
    const page = readFileSync('docs/errors.md', 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z_.]+)` +\| (\d{3}) +\| \S.* \|$/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(listed).toEqual(Object.entries(statusByCode));
  });
});

describe(codeOfStatus.name, () => {
  it.each([
    [400, 'input.invalid'],
    [403, 'access.denied'],
    [404, 'route.unknown'],
    [413, 'input.too_large'],
    [418, 'input.invalid'],
    [500, 'server.fault'],
    [502, 'server.fault'],
    [503, 'dependency.down'],
  ])('should return for the status %i the code %s', (status, code) => {
    expect(codeOfStatus(status)).toBe(code);
  });
});
