import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { individualFlushBytes, type FileBatch } from '../../model/workspace.js';
import { Journal } from './journal.js';

const digests = ['a', 'b'].map((digit) => ({ sha256: digit.repeat(64) }));
const more = ['c', 'd'].map((digit) => ({
  sha256: digit.repeat(64),
  md5: digit.repeat(32),
  sha512: digit.repeat(128),
}));

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
    expect(journal.take(small)).toEqual({ digests, isDurable: true });
    expect(journal.take(small)).toBeNull();
    expect(journal.take(batchOf('other', 1))).toBeNull();
  });

  it('should not return the entry of a batch when the number of files differs', async () => {
    expect((await reopened()).take({ ...small, files: small.files.slice(1) })).toBeNull();
  });

  it('should return the digests of the requested algorithms when they were recorded', async () => {
    await (await reopened()).record(batchOf('more', 1), more);
    expect((await reopened()).take(batchOf('more', 1), ['md5', 'sha512'])).toEqual({ digests: more, isDurable: true });
    const md5 = more.map(({ sha256, md5 }) => ({ sha256, md5 }));
    expect((await reopened()).take(batchOf('more', 1), ['md5'])).toEqual({ digests: md5, isDurable: true });
    expect((await reopened()).take(batchOf('more', 1))?.digests).toEqual(md5.map(({ sha256 }) => ({ sha256 })));
  });

  it('should not return an entry when it lacks the digests of an algorithm', async () => {
    await (await reopened()).record(batchOf('more', 1), more);
    expect((await reopened()).take(small, ['md5'])).toBeNull();
    expect((await reopened()).take(batchOf('more', 1), ['md5', 'sha1'])).toBeNull();
  });

  it('should return the entry of a journal of an earlier release', async () => {
    const boot = /"boot":"([^"]*)"/.exec(await readFile(path, 'utf8'))?.[1];
    const line = { batch: 'earlier', boot, flushed: false, sha256: digests.map(({ sha256 }) => sha256).join('') };
    await appendFile(path, `\n${JSON.stringify(line)}\n`);
    expect((await reopened()).take(batchOf('earlier', 1))).toEqual({ digests, isDurable: true });
    expect((await reopened()).take(batchOf('earlier', 1), ['md5'])).toBeNull();
  });

  it('should mark only individually flushed batches as durable when the machine has rebooted', async () => {
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/"boot":"[^"]*"/g, '"boot":"before"'));
    const journal = await reopened();
    expect(journal.take(small)).toEqual({ digests, isDurable: false });
    expect(journal.take(large)).toEqual({ digests, isDurable: true });
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
      const recorded = writing.record(batch, [
        { sha256: index.toString(16).padStart(64, '0') },
        { sha256: 'b'.repeat(64) },
      ]);
      if (index % 100 === 0) await recorded;
    }
    await writing.record(batchOf('last', 1), digests);
    const journal = await reopened();
    const indexes = batches.map((batch) => Number.parseInt(journal.take(batch)?.digests[0]?.sha256 ?? '', 16));
    expect(indexes).toEqual([...batches.keys()]);
    expect(journal.take(batchOf('last', 1))).not.toBeNull();
  });
});
