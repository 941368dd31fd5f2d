import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommitIndex } from './commit-index.js';

describe(CommitIndex.name, () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commit-index-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function publish(id: string, text = JSON.stringify(commitOf(id))): Promise<void> {
    await mkdir(join(folder, id, '.import'), { recursive: true });
    await writeFile(join(folder, id, '.import/commit.json'), text);
  }

  /** Makes the folder appear unchanged for a minute. */
  async function settle(): Promise<void> {
    const past = new Date(Date.now() - 60_000);
    await utimes(folder, past, past);
  }

  const idsOf = async (index: CommitIndex): Promise<string[]> => [...(await index.all()).bySubject.keys()].sort();

  it('should be empty when the folder does not exist', async () => {
    expect(await idsOf(new CommitIndex(join(folder, 'none'), join(folder, '.none')))).toEqual([]);
  });

  it('should read the commits that other processes publish and remove after a cold start', async () => {
    const ids = Array.from({ length: 1_200 }, (_, index) => `DS-${String(index + 1000)}`);
    await Promise.all(ids.map((id) => publish(id)));
    await settle();
    const index = new CommitIndex(folder, join(folder, '.none'));
    expect(await idsOf(index)).toEqual(ids);
    const { version } = await index.all();
    await publish('DS-NEW');
    await rm(join(folder, 'DS-1000'), { recursive: true });
    expect(await idsOf(index)).toEqual([...ids.slice(1), 'DS-NEW']);
    expect((await index.all()).version).not.toBe(version);
  });

  it('should have the same version in two processes that read the same commits', async () => {
    await publish('DS-1');
    await publish('DS-2');
    expect((await new CommitIndex(folder, join(folder, '.none')).all()).version).toBe(
      (await new CommitIndex(folder, join(folder, '.none')).all()).version,
    );
  });

  it.each([
    ['no record', null],
    ['half a record', '{"id":'],
    ['a record of something else', '{"id":"DS-2"}'],
    ['null as its record', 'null'],
  ])('should ignore a foreign folder when it has %s', async (_, text) => {
    await publish('DS-1');
    if (text === null) await mkdir(join(folder, 'DS-2'));
    else await publish('DS-2', text);
    expect(await idsOf(new CommitIndex(folder, join(folder, '.none')))).toEqual(['DS-1']);
  });

  it('should open no record while its folder is unchanged', async () => {
    await publish('DS-1');
    await settle();
    const index = new CommitIndex(folder, join(folder, '.none'));
    const first = await index.all();
    await rm(join(folder, 'DS-1/.import/commit.json'));
    expect(await index.all()).toBe(first);
  });

  it('should reject with the error code of the operating system when a record cannot be read', async () => {
    await mkdir(join(folder, 'DS-1/.import/commit.json'), { recursive: true });
    await expect(new CommitIndex(folder, join(folder, '.none')).all()).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

function commitOf(id: string): unknown {
  return {
    ...{ id, import_id: `IMPORT-${id}`, imported_at: '2026-01-01T00:00:00.000Z' },
    source: { submission: 'SUB-1', locator: `SUB-1/${id}`, fingerprint: 'sha256:1' },
    content: { files: 1, bytes: 1 },
  };
}
