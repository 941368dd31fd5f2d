import { symlinkSync } from 'node:fs';
import { link, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { aBag, aDataPackage, digest, layFiles } from '../../test/support/delivery.js';
import { entryPolicies } from '../settings/delivery-policies.js';
import { FolderSource } from './folder/folder-source.js';
import { DeclarationThreads } from './declarations/declaration-threads.js';
import { SubmissionLists } from './submission-lists.js';
import { summarisePlace, type DeclaredSummary } from './place-summary.js';
import { fingerprintPlace, releaseScan, scanPlace, type ScanResult, type ScanPolicy } from './place-scan.js';

describe(scanPlace.name, () => {
  const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' } as const;
  const threads = new DeclarationThreads(64 * 1024 * 1024);
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'place-scan-'));
    await mkdir(join(root, 'SUB-1/DS-1'), { recursive: true });
  });

  afterEach(async () => {
    for (const result of results.splice(0)) releaseScan(result);
    await rm(root, { recursive: true });
  });

  afterAll(() => threads.onApplicationShutdown());

  const results: ScanResult[] = [];

  function listsIn(): SubmissionLists {
    return new SubmissionLists(new FolderSource(root, '.ready'));
  }

  async function scan(
    policy: Partial<ScanPolicy> = {},
    source = new FolderSource(root, '.ready'),
  ): Promise<ScanResult> {
    const result = await scanPlace({ source, threads, lists: listsIn() }, place, { symlinks: 'refuse', ...policy });
    results.push(result);
    return result;
  }

  it('should count every problem when a delivery has more problems than are named', async () => {
    for (let at = 0; at < 10_050; at++) symlinkSync('nowhere', join(root, 'SUB-1/DS-1', `link-${String(at)}`));
    const found = await scan();
    expect([found.files, found.problems.count, found.problems.named.length]).toEqual([0, 10_050, 10_000]);
    expect(found.problems.codes).toEqual(['file.symlink']);
  });

  it('should combine the declarations of all descriptors of a bag', async () => {
    const payload = aBag({ a: '1', 'b b': '22' });
    const tags = { 'bag-info.txt': 'External-Description: Bag\nPayload-Oxum: 3.2\n', ...payload };
    const tagManifest = `${digest('sha256', payload['bagit.txt'] ?? '')}  bagit.txt\n`;
    await layFiles(join(root, 'SUB-1/DS-1'), { ...tags, 'tagmanifest-sha256.txt': tagManifest, SHA1SUMS: '' });
    const { declarations, isCompleteBag, problems } = await scan();
    expect(problems.named).toEqual([]);
    expect([isCompleteBag, declarations.title]).toEqual([true, 'Bag']);
    expect(declarations.algorithms).toEqual(['md5', 'sha256']);
    expect(await declarations.checksums.of(['data/b b'])).toEqual([{ md5: digest('md5', '22') }]);
  });

  it('should walk the source once for the declarations and for the copy', async () => {
    await layFiles(join(root, 'SUB-1/DS-1'), aBag({ a: '1', b: '22' }));
    let walks = 0;
    class Counting extends FolderSource {
      override walk(...of: Parameters<FolderSource['walk']>): ReturnType<FolderSource['walk']> {
        walks += 1;
        return super.walk(...of);
      }
    }
    const { entries, isCompleteBag } = await scan({}, new Counting(root, '.ready'));
    const paths: string[] = [];
    for await (const some of entries.read()) paths.push(...some.map(({ path }) => path));
    expect(paths).toEqual(['bagit.txt', 'data', 'data/a', 'data/b', 'manifest-md5.txt']);
    expect([isCompleteBag, walks]).toEqual([true, 1]);
  });

  it('should end during a walk when its signal is aborted', async () => {
    class Endless extends FolderSource {
      override async *walk(): ReturnType<FolderSource['walk']> {
        for (;;) yield await nextTurn([]);
      }
    }
    const source = new Endless(root, '.ready');
    const signal = AbortSignal.timeout(10);
    const policy = { symlinks: 'refuse', signal } as const;
    await expect(scanPlace({ source, threads, lists: listsIn() }, place, policy)).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(fingerprintPlace(source, place, policy)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('should report and count missing, differing and unlisted files', async () => {
    const { 'manifest-md5.txt': manifest = '', ...bag } = aBag({ a: '1' });
    const missing = Array.from({ length: 12_000 }, (_, at) => `${digest('md5', '')}  data/m/${String(at)}\n`);
    const sizes = { resources: [{ path: 'data/a', bytes: 2 }, { path: 'gone' }] };
    await layFiles(join(root, 'SUB-1/DS-1'), {
      ...bag,
      'manifest-md5.txt': `${manifest.toString()}${missing.join('')}`,
      ...{ 'datapackage.json': JSON.stringify(sizes), 'data/more': '' },
    });
    const { isCompleteBag, problems } = await scan();
    expect(isCompleteBag).toBe(false);
    expect([problems.count, problems.named.length]).toEqual([12_003, 10_002]);
    expect(problems.named.find(({ code }) => code === 'size.mismatch')?.path).toBe('data/a');
    expect(problems.named.find(({ code }) => code === 'file.unlisted')?.path).toBe('data/more');
  });

  it('should report a file when it has a hard link outside of the place', async () => {
    const folder = join(root, 'SUB-1/DS-1');
    await layFiles(root, { 'outside/a': '1', 'SUB-1/DS-1/b': '2', 'SUB-1/DS-1/alone': '3' });
    await link(join(root, 'outside/a'), join(folder, 'a'));
    await link(join(folder, 'b'), join(folder, 'c'));
    const [refused, warned, accepted] = await Promise.all(entryPolicies.map((hardLinks) => scan({ hardLinks })));
    const message = "a has 2 hard links, of which 1 are outside of the dataset's folder; deliver a copy of the file.";
    const problem = { code: 'file.hard_link', path: 'a', message };
    expect([refused?.problems.named, refused?.warnings.count]).toEqual([[problem], 0]);
    expect([warned?.warnings.named, warned?.problems.count]).toEqual([[problem], 0]);
    expect([accepted?.problems.count, accepted?.warnings.count]).toEqual([0, 0]);
    // A link or a setting does not change an imported dataset, but may change why a dataset is rejected.
    expect(new Set([refused, warned, accepted].map((each) => each?.fingerprint)).size).toBe(1);
    expect(warned?.rejectionKey).toBe(warned?.fingerprint);
    expect(refused?.rejectionKey).not.toBe(refused?.fingerprint);
  });

  it('should report every name with invisible characters or characters that change the direction of text', async () => {
    const odd = [
      'new\nline',
      'bell\u0007',
      'c1\u0085',
      'rtl\u202egpj.exe',
      'isolate\u2066',
      'zero\u200bwidth',
      'bom\ufeff',
    ];
    const honest = [
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      'é e\u0301',
      ' \'"\\*?',
      '\u{1f468}\u200d\u{1f4bb}',
    ];
    await layFiles(join(root, 'SUB-1/DS-1'), Object.fromEntries([...odd, ...honest].map((name) => [name, ''])));
    await layFiles(join(root, 'SUB-1/DS-1'), { 'folder\u202e/plain': '' });
    const { problems, warnings } = await scan({ names: 'refuse' });
    expect([problems.codes, warnings.count]).toEqual([['name.unsafe'], 0]);
    expect(problems.named.map(({ path }) => path).sort()).toEqual([...odd, 'folder\u202e'].sort());
    const [message] = problems.named.filter(({ path }) => path?.startsWith('rtl')).map((each) => each.message);
    expect(message).toBe(
      'The name of rtl\\u202egpj.exe contains U+202E, which is invisible or changes how the name is displayed; rename the file.',
    );
    expect((await scan({ names: 'warn' })).warnings.count).toBe(odd.length + 1);
    expect((await scan()).warnings.count).toBe(0);
  });

  it('should compare the lists of the submission, and let a corrected list change the key of a rejection', async () => {
    await layFiles(join(root, 'SUB-1'), { 'DS-1/a': '1', 'md5sum.txt': `${digest('md5', '1')}  DS-1/a\n` });
    const before = await scan();
    expect(await before.declarations.checksums.of(['a'])).toEqual([{ md5: digest('md5', '1') }]);
    await layFiles(join(root, 'SUB-1'), {
      'md5sum.txt': `${digest('md5', '1')}  DS-1/a\n${digest('md5', '')}  DS-1/b\n`,
    });
    const after = await scan();
    expect(after.problems.named).toMatchObject([{ code: 'file.missing', path: 'b' }]);
    expect(after.fingerprint).toBe(before.fingerprint);
    expect(new Set([before, after].map(({ rejectionKey }) => rejectionKey)).size).toBe(2);
  });

  it('should compare the documents of a submission, and report the lines that state no place', async () => {
    const text = ['doc.pdf', 'DS-1/a', 'reads.gz'].map((path) => `${digest('md5', '1')}  ${path}\n`).join('');
    await layFiles(join(root, 'SUB-1'), { 'doc.pdf': '1', 'md5sum.txt': text, 'submission.json': '{}' });
    const tools = { source: new FolderSource(root, '.ready'), threads, lists: listsIn() };
    const submission = { kind: 'submission', submission: 'SUB-1', id: 'SUB-1' } as const;
    const result = await scanPlace(tools, submission, { symlinks: 'refuse' });
    results.push(result);
    expect(await result.declarations.checksums.of(['doc.pdf', 'DS-1/a'])).toEqual([{ md5: digest('md5', '1') }, {}]);
    expect([result.problems.count, result.warnings.codes]).toEqual([0, ['checksum.not_compared']]);
  });

  it('should report a file that looks like a list without reading it', async () => {
    await layFiles(join(root, 'SUB-1/DS-1'), { 'a.bam': '1', 'a.bam.blake3': 'x' });
    const { problems, warnings } = await scan();
    const message =
      'a.bam.blake3 is not compared, or not completely: neither its name nor its algorithm is supported. Deliver its checksums as SHA256SUMS.';
    expect([problems.count, warnings.named]).toEqual([
      0,
      [{ code: 'checksum.not_compared', path: 'a.bam.blake3', message }],
    ]);
  });

  it('should refuse a bag whose payload differs from its Payload-Oxum, or that lacks a file of fetch.txt', async () => {
    const fetch = 'http://localhost:9/c - data/c\n';
    const bag = { ...aBag({ a: '1' }), 'bag-info.txt': 'Payload-Oxum: 2.1\n', 'fetch.txt': fetch };
    await layFiles(join(root, 'SUB-1/DS-1'), bag);
    const { problems, isCompleteBag } = await scan();
    expect([isCompleteBag, ...problems.named.map(({ code, message }) => [code, message])]).toEqual([
      ...[false, ['size.mismatch', expect.stringContaining('is 2.1, but the payload has 1.1')]],
      ['file.missing', 'data/c is listed in fetch.txt but is not fetched; deliver the file.'],
    ]);
  });

  describe(summarisePlace.name, () => {
    let parses: number;

    async function summarise(known?: DeclaredSummary): Promise<Awaited<ReturnType<typeof summarisePlace>>> {
      class CountingThreads extends DeclarationThreads {
        override use<T>(...of: Parameters<DeclarationThreads['use']>): Promise<T> {
          parses += 1;
          return threads.use(...of) as Promise<T>;
        }
      }
      const tools = { source: new FolderSource(root, '.ready'), threads: new CountingThreads(0), lists: listsIn() };
      return summarisePlace(tools, place, { symlinks: 'refuse' }, known);
    }

    beforeEach(() => {
      parses = 0;
    });

    it('should read the descriptors of a place again when the place was changed', async () => {
      const descriptor = join(root, 'SUB-1/DS-1/datapackage.json');
      await layFiles(join(root, 'SUB-1/DS-1'), { ...aDataPackage('T', { a: '1' }), 'link-less': '' });
      const first = await summarise();
      const second = await summarise(first.declared);
      const { scannedAt } = second.summary;
      expect([parses, second]).toEqual([1, { ...first, summary: { ...first.summary, scannedAt } }]);
      // The same size and modification time, so that only the time of change differs.
      const { atime, mtime } = await stat(descriptor);
      await writeFile(descriptor, (await readFile(descriptor, 'utf8')).replace('"T"', '"U"'));
      await utimes(descriptor, atime, mtime);
      const third = await summarise(second.declared);
      expect([parses, third.summary.title]).toEqual([2, 'U']);
      await rm(join(root, 'SUB-1/DS-1/a'));
      const fourth = await summarise(third.declared);
      expect([parses, fourth.summary.problems]).toEqual([3, ['file.missing']]);
    });

    it('should not read an unusable descriptor again when it is unchanged', async () => {
      await layFiles(join(root, 'SUB-1/DS-1'), { 'datapackage.json': `{"resources":${'['.repeat(10_000)}` });
      const { declared } = await summarise();
      const { summary } = await summarise(declared);
      expect([parses, summary.problems]).toEqual([1, ['descriptor.invalid']]);
    });
  });
});
