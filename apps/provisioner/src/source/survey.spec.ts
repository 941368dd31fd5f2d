import { symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { aBag, digest, layFiles } from '../../test/support/delivery.js';
import { FolderSource } from './folder/folder-source.js';
import { summaryOf } from './place-summary.js';
import { fingerprintPlace, surveyPlace, type Survey } from './survey.js';

describe(surveyPlace.name, () => {
  const place = { kind: 'dataset', submission: 'SUB-1', id: 'DS-1' } as const;
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'survey-'));
    await mkdir(join(root, 'SUB-1/DS-1'), { recursive: true });
  });

  afterEach(() => rm(root, { recursive: true }));

  const survey = (): Promise<Survey> => surveyPlace(new FolderSource(root, '.ready'), place, { symlinks: 'refuse' });

  it('should count every problem of a delivery of nothing else, and name so many as fit', async () => {
    for (let at = 0; at < 10_050; at++) symlinkSync('nowhere', join(root, 'SUB-1/DS-1', `link-${String(at)}`));
    const found = await survey();
    expect([found.files, found.problems.count, found.problems.named.length]).toEqual([0, 10_050, 10_000]);
    expect(summaryOf(found, 0).problems).toEqual(['file.symlink']);
  });

  it('should take together what all the descriptors of a bag say', async () => {
    const payload = aBag({ a: '1', 'b b': '22' });
    const tags = { 'bag-info.txt': 'External-Description: Bag\nPayload-Oxum: 3.2\n', ...payload };
    const tagManifest = `${digest('sha256', payload['bagit.txt'] ?? '')}  bagit.txt\n`;
    await layFiles(join(root, 'SUB-1/DS-1'), { ...tags, 'tagmanifest-sha256.txt': tagManifest, SHA1SUMS: '' });
    const { declarations, isCompleteBag, problems } = await survey();
    expect(problems.named).toEqual([]);
    expect([isCompleteBag, declarations.title]).toEqual([true, 'Bag']);
    expect(declarations.files.algorithms).toEqual(['md5', 'sha256']);
    expect(declarations.files.get('data/b b')).toEqual({ checksums: { md5: digest('md5', '22') } });
  });

  it('should ask the source once, for what was declared and for the copy too', async () => {
    await layFiles(join(root, 'SUB-1/DS-1'), aBag({ a: '1', b: '22' }));
    let walks = 0;
    class Counting extends FolderSource {
      override walk(...of: Parameters<FolderSource['walk']>): ReturnType<FolderSource['walk']> {
        walks += 1;
        return super.walk(...of);
      }
    }
    const { seen, isCompleteBag } = await surveyPlace(new Counting(root, '.ready'), place, { symlinks: 'refuse' });
    const paths: string[] = [];
    for await (const entries of seen.again()) paths.push(...entries.map(({ path }) => path));
    expect(paths).toEqual(['bagit.txt', 'data', 'data/a', 'data/b', 'manifest-md5.txt']);
    expect([isCompleteBag, walks]).toEqual([true, 1]);
  });

  it('should end amid a walk when it is told to', async () => {
    class Endless extends FolderSource {
      override async *walk(): ReturnType<FolderSource['walk']> {
        for (;;) yield await nextTurn([]);
      }
    }
    const source = new Endless(root, '.ready');
    const signal = AbortSignal.timeout(10);
    const policy = { symlinks: 'refuse', signal } as const;
    await expect(surveyPlace(source, place, policy)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(fingerprintPlace(source, place, policy)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('should name what is missing, of another size and unlisted, and count all of it', async () => {
    const { 'manifest-md5.txt': manifest = '', ...bag } = aBag({ a: '1' });
    const missing = Array.from({ length: 12_000 }, (_, at) => `${digest('md5', '')}  data/m/${String(at)}\n`);
    const sizes = { resources: [{ path: 'data/a', bytes: 2 }, { path: 'gone' }] };
    await layFiles(join(root, 'SUB-1/DS-1'), {
      ...bag,
      'manifest-md5.txt': `${manifest.toString()}${missing.join('')}`,
      ...{ 'datapackage.json': JSON.stringify(sizes), 'data/more': '' },
    });
    const { isCompleteBag, problems } = await survey();
    expect(isCompleteBag).toBe(false);
    expect([problems.count, problems.named.length]).toEqual([12_003, 10_002]);
    expect(problems.named.find(({ code }) => code === 'size.mismatch')?.path).toBe('data/a');
    expect(problems.named.find(({ code }) => code === 'file.unlisted')?.path).toBe('data/more');
  });
});
