import { createHash } from 'node:crypto';
import { mkdtemp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { laySampleSource } from './sample-source.ts';

const layingTakesAtMostMs = 60_000;

describe(laySampleSource.name, () => {
  let folder: string;
  let root: string;
  let created: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sample-source-'));
    root = join(folder, 'source');
    created = await laySampleSource(root);
  }, layingTakesAtMostMs);

  afterAll(() => rm(folder, { recursive: true }));

  it('should write three deliveries of less than 60 MB, one of them with thousands of files in a dataset', async () => {
    expect(created).toEqual(['SUB-2026-001', 'SUB-2026-002', 'SUB-2026-003']);
    const files = await filesBelow(root);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(root, file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000_000);
    expect(files.filter((file) => file.startsWith('SUB-2026-003/RDC_17/'))).toHaveLength(3000);
  });

  it('should describe a submission in submission.json', async () => {
    const submission = JSON.parse(await readFile(join(root, 'SUB-2026-002/submission.json'), 'utf8')) as object;
    expect(Object.keys(submission)).toEqual(['title', 'submitter', 'submitted_at', 'description', 'project']);
  });

  it('should keep existing deliveries, and remove the incomplete files of a killed run', async () => {
    const file = join(root, 'SUB-2026-001/RDC_11/datapackage.json');
    const { mtimeMs } = await stat(file);
    await mkdir(`${root}.laying/half`, { recursive: true });
    await writeFile(`${root}.laying/half/file`, 'half');
    expect(await laySampleSource(root)).toEqual([]);
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);
    await expect(stat(`${root}.laying`)).rejects.toThrow('ENOENT');
  });

  it(
    'should write the same bytes on every machine',
    async () => {
      const other = join(folder, 'other');
      await laySampleSource(other);
      expect(await digestOf(other)).toBe(await digestOf(root));
    },
    layingTakesAtMostMs,
  );

  it('should declare the true sizes and checksums in its data packages', async () => {
    const place = join(root, 'SUB-2026-001/RDC_13');
    const { resources } = JSON.parse(await readFile(join(place, 'datapackage.json'), 'utf8')) as {
      resources: { path: string; bytes: number; hash: string }[];
    };
    expect(resources).toHaveLength(120);
    for (const { path, bytes, hash } of resources) {
      const content = await readFile(join(place, path));
      expect({ path, bytes, hash }).toEqual({ path, bytes: content.length, hash: `sha256:${sha256(content)}` });
    }
  });

  it('should list every payload file of its bags in their manifests', async () => {
    const place = join(root, 'SUB-2026-002/RDC_14');
    const manifest = await readFile(join(place, 'manifest-sha256.txt'), 'utf8');
    const lines = manifest.trimEnd().split('\n');
    expect(lines.map((line) => line.slice(66)).sort()).toEqual(
      (await filesBelow(place)).filter((file) => file.startsWith('data/')).sort(),
    );
    for (const line of lines) expect(sha256(await readFile(join(place, line.slice(66))))).toBe(line.slice(0, 64));
  });
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1));
}

async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await filesBelow(folder)).sort()) hash.update(file).update(await readFile(join(folder, file)));
  return hash.digest('hex');
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
