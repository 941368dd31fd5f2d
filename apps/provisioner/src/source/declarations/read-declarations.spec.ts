import { ProblemList } from '../../model/problem-list.js';
import {
  SourceChangedError,
  type SourceEntry,
  type SourcePlace,
  type SourceSystem,
} from '../../model/source-system.js';
import { WalkedDescriptors } from '../walked-descriptors.js';
import { DeclarationThreads } from './declaration-threads.js';
import { readDeclarations, type Declared } from './read-declarations.js';

const place: SourcePlace = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' };
const mebibyte = 1024 * 1024;
const piece = 256 * 1024;

type Contents = Readonly<Record<string, Iterable<Buffer>>>;

/** Returns a source of files with these contents, in pieces. */
function sourceOf(contents: Contents): SourceSystem {
  async function* open(_: SourcePlace, { path }: SourceEntry): AsyncGenerator<Buffer> {
    await Promise.resolve();
    const content = contents[path];
    if (!content) throw new SourceChangedError(path);
    yield* content;
  }
  return { open } as unknown as SourceSystem;
}

const file = (path: string, size = 1): SourceEntry => ({ path, size, type: 'file' }) as SourceEntry;

/** Returns the pieces of a text with a repeated part. */
function* repeated(begin: string, part: string, bytes: number, end: string): Generator<Buffer> {
  yield Buffer.from(begin);
  const many = Buffer.from(part.repeat(Math.floor(piece / part.length)));
  for (let sent = 0; sent < bytes; sent += many.length) yield many;
  yield Buffer.from(end);
}

/** Returns checksum lines of numbered files. */
function* numbered(lines: number): Generator<Buffer> {
  for (let from = 0; from < lines; from += 5_000)
    yield Buffer.from(
      Array.from({ length: 5_000 }, (_, at) => `${'0'.repeat(32)}  data/${String(from + at)}\n`).join(''),
    );
}

describe(readDeclarations.name, () => {
  let threads: DeclarationThreads;
  let problems: ProblemList;
  let warnings: ProblemList;

  beforeEach(() => {
    threads = new DeclarationThreads(64 * mebibyte);
    problems = new ProblemList();
    warnings = new ProblemList();
  });

  afterEach(() => threads.onApplicationShutdown());

  async function read(
    contents: Contents,
    { files = Object.keys(contents).map((path) => file(path)), keepsChecksums = false } = {},
  ): Promise<Declared> {
    async function* entries(): AsyncGenerator<readonly SourceEntry[]> {
      yield await Promise.resolve(files);
    }
    const descriptors = new WalkedDescriptors(place, entries);
    descriptors.add(files);
    const declaring = { source: sourceOf(contents), place, descriptors, entries };
    return readDeclarations(threads, declaring, { problems, warnings }, keepsChecksums);
  }

  it('should report a descriptor that is too large or that changed', async () => {
    const files = [file('datapackage.json', 64 * mebibyte + 1), file('md5sums')];
    await read({}, { files });
    expect(problems.named).toEqual([
      {
        code: 'descriptor.too_large',
        path: 'datapackage.json',
        message:
          'datapackage.json cannot be used: it is larger than 64 MiB. Deliver a smaller one; a checksum list may have any size.',
      },
      {
        code: 'descriptor.invalid',
        path: 'md5sums',
        message:
          'md5sums cannot be used: it changed while it was read. Import the dataset after the delivery is complete.',
      },
    ]);
  });

  it('should return the checksums of declared files, also of missing ones, until they are released', async () => {
    const declared = await read({ md5sums: numbered(25_000) }, { files: [file('md5sums', 5e6)], keepsChecksums: true });
    expect([declared.count, declared.missing, declared.algorithms]).toEqual([25_000, 25_000, ['md5']]);
    expect(problems.counted).toEqual([['file.missing', 25_000]]);
    expect(problems.named).toHaveLength(10_000);
    const md5 = '0'.repeat(32);
    expect(await declared.checksums.of(['data/24999', 'data/25000', 'data/0'])).toEqual([{ md5 }, {}, { md5 }]);
    declared.checksums.release();
    expect(await declared.checksums.of(['data/0'])).toEqual([{}]);
  });

  it('should read further places while the checksums of many places are in memory', async () => {
    const list = [Buffer.from(`${'0'.repeat(32)}  a\n`)];
    const kept: Declared[] = [];
    for (let place = 0; place < 5; place += 1) kept.push(await read({ md5sums: list }, { keepsChecksums: true }));
    for (const { checksums } of kept) {
      expect(await checksums.of(['a'])).toEqual([{ md5: '0'.repeat(32) }]);
      checksums.release();
    }
  });

  it.each([
    ['nested', repeated('{"resources":', '[', 32 * mebibyte, ''), 'descriptor.invalid'],
    ['wide', repeated('{"resources":[', '[],', 32 * mebibyte, '0]}'), 'descriptor.invalid'],
    ['a long text', repeated('{"a":"', 'x', 32 * mebibyte, '"}'), 'descriptor.too_large'],
    ['a long number', repeated('{"a":1', '1', 32 * mebibyte, '}'), 'descriptor.too_large'],
    ['blanks', repeated('{', ' ', 32 * mebibyte, '}'), 'descriptor.too_large'],
    [
      'a resource of many objects',
      repeated('{"resources":[{"x":[', '{},', 32 * mebibyte, '0]}]}'),
      'descriptor.too_large',
    ],
  ])('should not block the event loop while it reads a descriptor that is %s', async (_, content, code) => {
    const stops = new Stops();
    await read({ 'datapackage.json': content });
    expect(problems.codes).toEqual([code]);
    expect(stops.end()).toBeLessThan(250);
  });

  it('should refuse a list of one endless line without reading the rest', async () => {
    let pieces = 0;
    function* endless(): Generator<Buffer> {
      for (; ; pieces += 1) yield Buffer.alloc(piece, 'x');
    }
    await read({ md5sums: endless() });
    expect(problems.codes).toEqual(['descriptor.invalid']);
    expect(pieces).toBeLessThan(3);
  });

  it('should compare declared files that exceed the memory for them', async () => {
    threads = new DeclarationThreads(mebibyte);
    const files = [file('md5sums', 2e7), file('data/1'), file('data/99999')];
    const declared = await read({ md5sums: numbered(100_000) }, { files, keepsChecksums: true });
    expect([declared.count, declared.missing, declared.compared]).toEqual([100_000, 99_998, 2]);
    expect(problems.counted).toEqual([['file.missing', 99_998]]);
    const md5 = '0'.repeat(32);
    expect(await declared.checksums.of(['data/99999', 'data/100000'])).toEqual([{ md5 }, {}]);
    declared.checksums.release();
  });

  it('should report a descriptor when its thread runs out of memory, and read the next place', async () => {
    threads = new DeclarationThreads(64 * mebibyte, { heapMb: 32 });
    // An element is in memory until it is complete, so that a small heap does not suffice.
    await read({
      'datapackage.json': repeated('{"resources":[{"x":[', `"${'x'.repeat(1000)}",`, 64 * mebibyte, '0]}]}'),
    });
    expect(problems.named).toEqual([
      {
        code: 'descriptor.too_large',
        path: 'datapackage.json',
        message:
          'datapackage.json cannot be used: reading it takes too much memory. Deliver a smaller one; a checksum list may have any size.',
      },
    ]);
    problems = new ProblemList();
    expect((await read({ md5sums: [Buffer.from(`${'0'.repeat(32)}  a\n`)] })).count).toBe(1);
    expect(problems.codes).toEqual(['file.missing']);
  });

  it('should report a descriptor when its thread takes too much time', async () => {
    threads = new DeclarationThreads(64 * mebibyte, { answerWithinMs: 1 });
    await read({ md5sums: [Buffer.alloc(0)] });
    expect(problems.named).toMatchObject([{ code: 'descriptor.too_large', path: 'md5sums' }]);
    expect(problems.named[0]?.message).toContain('takes too much time');
  });
});

/** A meter of the longest stop of the event loop. */
class Stops {
  private last = performance.now();
  private longest = 0;
  private readonly timer = setInterval(() => {
    this.measure();
  }, 5);

  end(): number {
    clearInterval(this.timer);
    this.measure();
    return this.longest;
  }

  private measure(): void {
    const now = performance.now();
    this.longest = Math.max(this.longest, now - this.last);
    this.last = now;
  }
}
