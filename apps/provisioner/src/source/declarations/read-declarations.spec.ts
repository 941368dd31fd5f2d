import { ProblemList } from '../problem-list.js';
import type { SourceEntry, SourcePlace, SourceSystem } from '../source-system.js';
import { readDeclarations } from './read-declarations.js';

const place: SourcePlace = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' };
const mebibyte = 1024 * 1024;

/** A source whose small files have this content, and whose lists are empty. */
function sourceOf(content = ''): SourceSystem {
  const read = (_: SourcePlace, __: string, limit: number): Promise<Buffer | null> =>
    Promise.resolve(content.length > limit ? null : Buffer.from(content));
  async function* open(): AsyncGenerator<Buffer> {
    await Promise.resolve();
    yield Buffer.alloc(0);
  }
  return { read, open } as unknown as SourceSystem;
}

const file = (path: string, size = 1): SourceEntry => ({ path, size, type: 'file' }) as SourceEntry;

describe(readDeclarations.name, () => {
  it('should refuse lists that are too large, each or together', async () => {
    const lists = [file('md5sums', 256 * mebibyte), file('sha1sums', 257 * mebibyte), file('sha256sums', 1)];
    const { problems } = await readDeclarations(sourceOf(), place, lists, new ProblemList());
    expect(problems.named.map(({ message }) => message)).toEqual([
      'sha1sums cannot be used: all lists of a dataset together may have 512 MiB.',
      'sha256sums cannot be used: all lists of a dataset together may have 512 MiB.',
    ]);
    const large = await readDeclarations(sourceOf(), place, lists.slice(1), new ProblemList());
    expect(large.problems.named.map(({ message }) => message)).toEqual([
      'sha1sums cannot be used: it is gone, or larger than 256 MiB.',
    ]);
  });

  const problemsOf = async (content: string): Promise<readonly string[]> => {
    const collection = { ...place, kind: 'submission' } as const;
    const files = [file('submission.json')];
    const { problems } = await readDeclarations(sourceOf(content), collection, files, new ProblemList());
    return problems.named.map(({ message }) => message);
  };

  it('should name each member of a submission that is too long, and its limit', async () => {
    const said = { title: 'x'.repeat(1_001), description: 'x'.repeat(10_000), submitted_at: 'x'.repeat(101), other: 7 };
    expect(await problemsOf(JSON.stringify(said))).toEqual([
      'submission.json cannot be used: its title has 1001 characters; at most 1000 are taken.',
      'submission.json cannot be used: its submitted_at has 101 characters; at most 100 are taken.',
    ]);
  });

  it('should refuse a submission’s words that are too large to be read, and nothing that is only no description', async () => {
    expect(await problemsOf('x'.repeat(mebibyte + 1))).toEqual([
      'submission.json cannot be used: it is gone, or larger than 1 MiB.',
    ]);
    expect(await problemsOf('[')).toEqual([]);
  });
});
