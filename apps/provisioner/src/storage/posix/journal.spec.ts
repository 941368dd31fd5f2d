import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { individualFlushBytes, type FileBatch } from '../../model/storage.js';
import { Journal } from './journal.js';

const digests = ['a'.repeat(64), 'b'.repeat(64)];

const batchOf = (key: string, size: number): FileBatch => ({
  key,
  files: ['one', 'two'].map((path) => ({ path, size, mtimeNs: 0n })),
});
const small = batchOf('small', 1);
const large = batchOf('large', individualFlushBytes);

describe(Journal.name, () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    path = join(folder, 'finished.ndjson');
    const journal = await Journal.open(path, 'noted');
    await Promise.all([journal.record(small, digests), journal.record(large, digests)]);
  });

  afterEach(() => rm(folder, { recursive: true }));

  const reopened = (believed: 'noted' | 'flushed' = 'noted'): Promise<Journal> => Journal.open(path, believed);

  it('should give each batch back once, and none that it does not know', async () => {
    const journal = await reopened();
    expect(journal.take(small)).toEqual({ sha256: digests, isCertain: true });
    expect(journal.take(small)).toBeNull();
    expect(journal.take(batchOf('other', 1))).toBeNull();
  });

  it('should take a batch of another number of files for another one', async () => {
    expect((await reopened()).take({ ...small, files: small.files.slice(1) })).toBeNull();
  });

  it('should be certain, after the machine has started anew, only of what was flushed by itself', async () => {
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/"boot":"[^"]*"/g, '"boot":"before"'));
    const journal = await reopened();
    expect(journal.take(small)).toEqual({ sha256: digests, isCertain: false });
    expect(journal.take(large)).toEqual({ sha256: digests, isCertain: true });
  });

  it('should forget, after a flush has failed, what was not flushed by itself', async () => {
    const journal = await reopened('flushed');
    expect(journal.take(small)).toBeNull();
    expect(journal.take(large)).not.toBeNull();
  });

  it('should bear with a line that a crash has cut short, and go on after it', async () => {
    await appendFile(path, '{"batch":"cut","boot":');
    await (await reopened()).record(batchOf('later', 1), digests);
    const journal = await reopened();
    expect(journal.take(small)).not.toBeNull();
    expect(journal.take(batchOf('later', 1))).not.toBeNull();
  });

  it('should give back each of thousands', async () => {
    const batches = Array.from({ length: 5_000 }, (_, at) => batchOf(`many-${String(at)}`, 1));
    const writing = await reopened();
    for (const [at, batch] of batches.entries()) {
      const noted = writing.record(batch, [at.toString(16).padStart(64, '0'), 'b'.repeat(64)]);
      if (at % 100 === 0) await noted;
    }
    await writing.record(batchOf('last', 1), digests);
    const journal = await reopened();
    const found = batches.map((batch) => Number.parseInt(journal.take(batch)?.sha256[0] ?? '', 16));
    expect(found).toEqual([...batches.keys()]);
    expect(journal.take(batchOf('last', 1))).not.toBeNull();
  });
});
