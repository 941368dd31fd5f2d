import { declared, filesOf, md5, messagesOf, sha256 } from '../../../test/support/declared.js';
import { BagInfoReader } from './bag/bag-info.js';
import { DataPackageReader } from './data-package.js';
import type { Declarations } from './declarations.js';
import { RoCrateReader } from './ro-crate.js';
import { SubmissionFileReader } from './submission-file.js';
import { YamlReader } from './yaml-reader.js';

describe('a title', () => {
  it.each([
    ['datapackage.json', 'title', DataPackageReader, (title: string): unknown => ({ title, resources: [] })],
    ['ro-crate-metadata.json', 'name', RoCrateReader, (name: string) => ({ '@graph': [{ '@id': './', name }] })],
  ] as const)('of a %s should be refused when its %s is too long', (path, member, Reader, saying) => {
    const titled = (title: string): Declarations => declared(JSON.stringify(saying(title)), (into) => new Reader(into));
    const longest = 'x'.repeat(1_000);
    expect([titled(longest).title, titled(longest).problems.count]).toEqual([longest, 0]);
    const { title, problems } = titled(`${longest}x`);
    const message = `${path} cannot be used: its ${member} has 1001 characters and may have 1000.`;
    expect([title, problems.named]).toEqual([null, [{ code: 'descriptor.invalid', path, message }]]);
  });
});

describe(BagInfoReader.name, () => {
  const read = (text: string): Declarations => declared(text, (into) => new BagInfoReader(into));

  it('should read the oxum and the title', () => {
    const bag = read('External-Description: T\nPayload-Oxum: 1.1\n');
    expect(bag).toMatchObject({ bagTitle: 'T', oxum: { bytes: 1, files: 1 } });
  });

  it('should read the metadata in linear time when the title has millions of blanks', () => {
    // A pattern that needs quadratic time would run for hours.
    const title = `T${' '.repeat(5_000_000)}T`;
    const bag = read(`External-Description: ${title} \nPayload-Oxum: 1.1\n`);
    expect(bag).toMatchObject({ bagTitle: null, oxum: { bytes: 1, files: 1 } });
    expect(bag.problems.count).toBe(0);
  });

  it.each(['x', '1', '1.', '-1.1', '1.1 files'])('should refuse the oxum %j', (oxum) => {
    const found = read(`Payload-Oxum: ${oxum}\n`);
    expect(found.oxum).toBeNull();
    expect(messagesOf(found)[0]).toContain(`its Payload-Oxum must be "<bytes>.<files>" and is "${oxum}"`);
  });
});

describe(RoCrateReader.name, () => {
  const read = (descriptor: unknown): Declarations =>
    declared(JSON.stringify(descriptor), (into) => new RoCrateReader(into));

  it('should read the digests and sizes of file entities', () => {
    const hasPart = [{ '@id': 'a%20b' }, { '@id': 'https://example.org/c' }];
    const graph = [
      { '@id': './', '@type': 'Dataset', name: 'T', hasPart },
      { '@id': 'a%20b', '@type': ['File'], sha256, contentSize: '1' },
      { '@id': 'https://example.org/c', '@type': 'File', sha256, contentSize: '12 kB' },
      { '@id': 'b', '@type': 'File', contentSize: '12 kB' },
    ];
    const declarations = read({ '@graph': graph });
    expect(filesOf(declarations)).toEqual({ 'a b': { checksums: { sha256 }, size: 1 }, b: { checksums: {} } });
    expect([declarations.title, declarations.problems.count]).toEqual(['T', 0]);
  });

  it('should read digests in properties of a file, in its entity or by reference', () => {
    const inline = { '@type': 'PropertyValue', name: 'SHA-256', value: sha256.toUpperCase() };
    const other = { '@type': 'PropertyValue', name: 'reads', value: 7 };
    const graph = [
      { '@id': 'a', '@type': 'File', additionalProperty: [inline, other] },
      { '@id': 'b', '@type': 'File', additionalProperty: { '@id': '#md5-b' } },
      { '@id': '#md5-b', '@type': ['PropertyValue'], propertyID: 'https://example.org/terms#md5', value: md5 },
      { '@id': 'c', '@type': 'File', additionalProperty: [{ '@id': '#absent' }] },
    ];
    const declarations = read({ '@graph': graph });
    expect(filesOf(declarations)).toEqual({
      a: { checksums: { sha256 } },
      b: { checksums: { md5 } },
      c: { checksums: {} },
    });
    expect(declarations.problems.count).toBe(0);
  });

  it('should refuse a property whose value is no digest', () => {
    const property = { '@type': 'PropertyValue', name: 'sha256', value: 'none' };
    const found = read({ '@graph': [{ '@id': 'a', '@type': 'File', additionalProperty: [property] }] });
    expect(messagesOf(found)[0]).toContain('the value of the property "sha256" must be a hexadecimal sha256 digest');
  });

  it.each([
    [{ '@graph': {} }, 'its @graph must be a list'],
    [{ '@graph': '' }, 'its @graph must be a list'],
    [{}, 'it must have a @graph'],
    [{ '@graph': [null] }, 'an entity must be an object (entity 1'],
    [{ '@graph': [{ '@id': 'a' }, 7] }, 'an entity must be an object (entity 2'],
    [{ '@graph': [{ '@id': null }] }, 'the @id of an entity must be a text (entity 1'],
    [{ '@graph': [{ '@id': 'a', '@type': {} }] }, 'the @type of "a" must be a text'],
    [{ '@graph': [{ '@id': './', hasPart: 'a' }] }, 'the hasPart of "./" must be a list of objects'],
    [{ '@graph': [{ '@id': './', hasPart: [{ '@id': 7 }] }] }, 'the hasPart of "./" must be a list of objects'],
    [{ '@graph': [{ '@id': './', name: {} }] }, 'its name must be a text'],
    [{ '@graph': [{ '@id': '../x', '@type': 'File' }] }, 'the path of the file "../x" must be inside the crate'],
    [
      { '@graph': [{ '@id': 'a', '@type': 'File', sha256: 7 }] },
      'the sha256 of "a" must be a hexadecimal sha256 digest',
    ],
    [{ '@graph': [{ '@id': 'a', '@type': 'File', md5: sha256 }] }, 'the md5 of "a" must be a hexadecimal md5 digest'],
    [
      { '@graph': [{ '@id': 'a', '@type': 'File', contentSize: [] }] },
      'the contentSize of "a" must be a text or a number',
    ],
  ])('should refuse %j', (descriptor, reason) => {
    const found = read(descriptor);
    expect(found.problems.codes).toEqual(['descriptor.invalid']);
    expect(messagesOf(found)[0]).toContain(` cannot be used: ${reason}`);
  });
});

describe(YamlReader.name, () => {
  const read = (text: string): Declarations =>
    declared(text, (into) => new YamlReader(new DataPackageReader(into, 'datapackage.yaml')), { pieceBytes: 7 });

  it('should read a data package in YAML', () => {
    const found = read(`title: Größe\nresources:\n  - path: ./a.csv\n    bytes: 1\n    hash: sha256:${sha256}\n`);
    expect([found.title, found.problems.count]).toEqual(['Größe', 0]);
    expect(filesOf(found)).toEqual({ 'a.csv': { checksums: { sha256 }, size: 1 } });
  });

  it.each([
    ['title: [', 'it is not valid YAML: '],
    ['title: a\ntitle: b\nresources: []', 'it is not valid YAML: "Map keys must be unique'],
    ['a: &a [x]\nresources: [*a]', 'it is not valid YAML: '],
    ['- a', 'it must be a JSON object'],
    ['', 'it must be a JSON object'],
    ['title: a', 'it must have a list of resources'],
    [`resources: ${'['.repeat(5_000)}`, 'it is not valid YAML: '],
    [`resources: [${'['.repeat(200)}${']'.repeat(200)}]`, 'it has more than 100 levels of nesting'],
  ])('should refuse %j', (text, reason) => {
    const found = read(text);
    expect(found.problems.codes).toEqual(['descriptor.invalid']);
    expect(messagesOf(found)[0]).toContain(` cannot be used: ${reason}`);
  });
});

describe(SubmissionFileReader.name, () => {
  const read = (text: string): Declarations => declared(text, (into) => new SubmissionFileReader(into));

  it('should read the texts, and count an empty text and null as absent', () => {
    const written = { title: 'T', submitter: '', project: null, other: [{}] };
    expect(read(JSON.stringify(written)).description).toEqual({
      ...{ title: 'T', submitter: null, submitted_at: null, description: null, project: null },
    });
  });

  it('should report each member that is too long, with its limit', () => {
    const written = {
      title: 'x'.repeat(1_001),
      description: 'x'.repeat(10_000),
      submitted_at: 'x'.repeat(101),
      other: 7,
    };
    expect(messagesOf(read(JSON.stringify(written)))).toEqual([
      'submission.json cannot be used: its title has 1001 characters and may have 1000.',
      'submission.json cannot be used: its submitted_at has 101 characters and may have 100.',
    ]);
  });

  it.each([
    ['[', 'it must be a JSON object'],
    ['"x"', 'it must be a JSON object'],
    ['{"title": 7}', 'its title must be a text'],
    ['{"submitter": {"name": "x"}}', 'its submitter must be a text'],
    ['{"title": "a", "title": "b"}', 'its member "title" occurs twice'],
  ])('should refuse %s', (text, reason) => {
    const found = read(text);
    expect(found.description).toBeNull();
    expect(messagesOf(found)[0]).toContain(reason);
  });
});
