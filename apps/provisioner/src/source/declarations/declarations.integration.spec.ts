import { declared, filesOf, md5, messagesOf, sha256 } from '../../../test/support/declared.js';
import { DataPackageReader } from './data-package.js';
import type { Declarations } from './declarations.js';

describe(DataPackageReader.name, () => {
  const readText = (text: string): Declarations => declared(text, (into) => new DataPackageReader(into));
  const read = (descriptor: unknown): Declarations => readText(JSON.stringify(descriptor));

  it('should read sizes and digests, and a digest without a prefix as MD5', () => {
    const found = read({
      title: 'T',
      resources: [
        { path: './a', bytes: 1, hash: `sha256:${sha256}` },
        { path: 'b', hash: md5 },
        { path: ['c', 'd'], hash: md5 },
        { path: 'https://example.org/e', hash: md5 },
        { data: [] },
      ],
    });
    expect(found.title).toBe('T');
    expect(filesOf(found)).toEqual({
      a: { checksums: { sha256 }, size: 1 },
      b: { checksums: { md5 } },
      c: { checksums: {} },
      d: { checksums: {} },
    });
  });

  it.each([
    [{ resources: [{ path: '../x' }] }, 'the path "../x" must be inside the package (resource 1)'],
    [{ resources: [{ path: '/x' }] }, 'the path "/x" must be inside the package (resource 1)'],
    [{ resources: 'x' }, 'its resources must be a list'],
    [{ resources: {} }, 'its resources must be a list'],
    [{ resources: null }, 'its resources must be a list'],
    [{ title: 'T' }, 'it must have a list of resources'],
    [[], 'it must be a JSON object'],
    [true, 'it must be a JSON object'],
    [{ title: 7, resources: [] }, 'its title must be a text'],
    [{ resources: [[[]]] }, 'a resource must be an object (resource 1)'],
    [{ resources: [null] }, 'a resource must be an object (resource 1)'],
    [{ resources: [{ data: [] }, 'a'] }, 'a resource must be an object (resource 2)'],
    [{ resources: [{ name: 'a' }] }, 'a resource must have a path or data (resource 1)'],
    [{ resources: [{ path: 7 }] }, 'the path of a resource must be a text and is 7 (resource 1)'],
    [{ resources: [{ path: [] }] }, 'the path of a resource must not be an empty list (resource 1)'],
    [{ resources: [{ path: ['a', {}] }] }, 'the path of a resource must be a text and is an object (resource 1)'],
    [
      { resources: [{ path: 'a', bytes: '1' }] },
      'the bytes of a resource must be a whole number and are "1" (resource 1)',
    ],
    [
      { resources: [{ path: 'a', bytes: -1 }] },
      'the bytes of a resource must be a whole number and are -1 (resource 1)',
    ],
    [{ resources: [{ path: 'a', hash: 7 }] }, 'the hash of a resource must be a text and is 7 (resource 1)'],
    [{ resources: [{ path: 'a', hash: [md5] }] }, 'the hash of a resource must be a text and is a list (resource 1)'],
    [
      { resources: [{ path: 'a', hash: 'sha256:1' }] },
      'the hash of "a" must be a hexadecimal sha256 digest (resource 1)',
    ],
  ])('should refuse %j', (descriptor, reason) => {
    const { problems } = read(descriptor);
    expect(problems.codes).toEqual(['descriptor.invalid']);
    expect(problems.named[0]?.message).toContain(` cannot be used: ${reason}.`);
  });

  it.each([
    ['{"resources": [', 'its JSON is incomplete'],
    ['', 'its JSON is incomplete'],
    ['{"resources": []} x', 'it is not valid JSON'],
    ['{"resources": [}', 'it is not valid JSON'],
    ['{"resources": [{"path": "\u0000"}]}', 'it is not valid JSON'],
    ['{"resources": [], "resources": [{"path": "a"}]}', 'its member "resources" occurs twice'],
    [`{"x": ${'['.repeat(100)}${']'.repeat(100)}, "resources": []}`, 'it has more than 100 levels of nesting'],
    [`{"resources": ${'[{"a":'.repeat(60)}`, 'it has more than 100 levels of nesting'],
  ])('should refuse the text %j', (text, reason) => {
    const found = readText(text);
    expect(found.problems.codes).toEqual(['descriptor.invalid']);
    expect(messagesOf(found)[0]).toContain(reason);
  });

  it.each([
    [
      'a text longer than 1 MiB',
      `{"resources": [], "x": "${'x'.repeat(3 << 20)}"}`,
      'it contains a text longer than 1 MiB',
    ],
    [
      'a resource of too many parts',
      `{"resources": [{"x": [${'0,'.repeat(1_000_000)}0]}]}`,
      'an element has more than 2000000 parts',
    ],
  ])('should refuse %s as too large', (_, text, reason) => {
    const found = readText(text);
    expect(found.problems.codes).toEqual(['descriptor.too_large']);
    expect(messagesOf(found)[0]).toContain(reason);
  });

  it('should read a document byte by byte, with a byte order mark', () => {
    const text = `\uFEFF${JSON.stringify({ resources: [{ path: 'é"', bytes: 1 }], title: 'T\u20ac' })}`;
    const found = declared(text, (into) => new DataPackageReader(into), { pieceBytes: 1 });
    expect([found.title, filesOf(found)]).toEqual(['T\u20ac', { 'é"': { checksums: {}, size: 1 } }]);
  });
});
