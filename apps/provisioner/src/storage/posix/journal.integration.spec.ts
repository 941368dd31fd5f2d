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
    const journal = await Journal.open(path, 'all');
    await Promise.all([journal.record(small, digests), journal.record(large, digests)]);
  });

  afterEach(() => rm(folder, { recursive: true }));

  const reopened = (trusted: 'all' | 'flushed' = 'all'): Promise<Journal> => Journal.open(path, trusted);

  it('should return the entry of a recorded batch once', async () => {
    const journal = await reopened();
    expect(journal.take(small)).toEqual({ sha256: digests, isDurable: true });
    expect(journal.take(small)).toBeNull();
    expect(journal.take(batchOf('other', 1))).toBeNull();
  });

  it('should not return the entry of a batch when the number of files differs', async () => {
    expect((await reopened()).take({ ...small, files: small.files.slice(1) })).toBeNull();
  });

  it('should mark only individually flushed batches as durable when the machine has rebooted', async () => {
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/"boot":"[^"]*"/g, '"boot":"before"'));
    const journal = await reopened();
    expect(journal.take(small)).toEqual({ sha256: digests, isDurable: false });
    expect(journal.take(large)).toEqual({ sha256: digests, isDurable: true });
  });

  it('should ignore batches that were not flushed individually when a flush has failed', async () => {
    const journal = await reopened('flushed');
    expect(journal.take(small)).toBeNull();
    expect(journal.take(large)).not.toBeNull();
  });

  it('should ignore a truncated line and append after it', async () => {
    await appendFile(path, '{"batch":"cut","boot":');
    await (await reopened()).record(batchOf('later', 1), digests);
    const journal = await reopened();
    expect(journal.take(small)).not.toBeNull();
    expect(journal.take(batchOf('later', 1))).not.toBeNull();
  });

  it('should return every entry when thousands of batches were recorded', async () => {
    const batches = Array.from({ length: 5_000 }, (_, index) => batchOf(`many-${String(index)}`, 1));
    const writing = await reopened();
    for (const [index, batch] of batches.entries()) {
      const recorded = writing.record(batch, [index.toString(16).padStart(64, '0'), 'b'.repeat(64)]);
      if (index % 100 === 0) await recorded;
    }
    await writing.record(batchOf('last', 1), digests);
    const journal = await reopened();
    const indexes = batches.map((batch) => Number.parseInt(journal.take(batch)?.sha256[0] ?? '', 16));
    expect(indexes).toEqual([...batches.keys()]);
    expect(journal.take(batchOf('last', 1))).not.toBeNull();
  });
});
