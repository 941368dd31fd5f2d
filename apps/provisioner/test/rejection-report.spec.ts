import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digest } from './support/delivery.js';
import { TestSystem } from './support/system.js';
import type { Import } from '../../../test/support/documented-body.ts';

describe('the report of a rejected delivery', () => {
  let system: TestSystem;
  let rejected: Import;

  beforeAll(async () => {
    system = await TestSystem.create();
    const list = `${digest('md5', 'x')}  a\n${digest('md5', 'b')}  b\n${digest('md5', 'c')}  c\n`;
    await system.deliver('SUB-1', { 'DS-1/a': 'a', 'DS-1/b': 'b', 'DS-1/md5sum.txt': list, 'DS-2/a': 'a' });
    await symlink('a', join(system.source, 'SUB-1/DS-1/link'));
    await system.startServer();
    await system.startWorker();
    rejected = await imported('DS-1');
  });

  afterAll(() => system.stop());

  const imported = async (dataset_id: string): Promise<Import> =>
    system.ended((await system.post('/datasets/srcsys/import', { dataset_id })).body.id);

  it('should contain every problem, the counts and the delivery', async () => {
    const { id } = rejected;
    expect(rejected).toMatchObject({ state: 'rejected', links: { report: `/imports/${id}/report` } });
    const { status, body } = await system.get(`/imports/${id}/report`);
    expect([status, body]).toEqual([
      200,
      {
        ...{ schema: 'provisioner-rejection/1', import_id: id, attempt: 1, kind: 'dataset', subject: 'DS-1' },
        delivery: {
          submission: 'SUB-1',
          fingerprint: expect.stringMatching(/^sha256:/) as string,
          files: 3,
          bytes: 110,
        },
        requested_at: expect.any(String) as string,
        rejected_at: rejected.finished_at,
        code: 'checksum.mismatch',
        message: expect.stringContaining(
          'Problems in total: 1 checksum.mismatch, 1 file.missing, 1 file.symlink.',
        ) as string,
        counts: { 'checksum.mismatch': 1, 'file.missing': 1, 'file.symlink': 1 },
        problems: [
          { path: 'a', code: 'checksum.mismatch', message: expect.stringContaining('is declared') as string },
          { path: 'c', code: 'file.missing', message: expect.stringContaining('is declared but missing') as string },
          { path: 'link', code: 'file.symlink', message: expect.stringContaining('Symbolic links') as string },
        ],
        agent: { service: expect.stringMatching(/^provisioner /) as string, node: process.version },
      },
    ]);
  });

  it('should be stored next to the imported data', async () => {
    const stored = await readFile(
      join(system.storage, `data/.quarantine/dataset/DS-1/${rejected.id}/report.json`),
      'utf8',
    );
    expect(JSON.parse(stored)).toEqual((await system.get(`/imports/${rejected.id}/report`)).body);
  });

  it('should list the same files as the import', async () => {
    const { body } = await system.get(`/imports/${rejected.id}/files`);
    expect(body.items.map(({ path, code }) => `${String(code)} ${path}`)).toEqual([
      ...['checksum.mismatch a', 'file.missing c', 'file.symlink link'],
    ]);
  });

  it('should not exist when the import has finished or is unknown', async () => {
    const finished = await imported('DS-2');
    expect(finished).toMatchObject({ state: 'finished', links: { report: null } });
    expect((await system.get(`/imports/${finished.id}/report`)).status).toBe(404);
    expect((await system.get('/imports/01ARZ3NDEKTSV4RRFFQ69G5FAV/report')).status).toBe(404);
  });

  it('should remain when the corrected delivery is imported', async () => {
    await system.redeliver('SUB-2', { 'DS-3/a': 'a', 'DS-3/a.md5': digest('md5', 'x') });
    const { id } = await imported('DS-3');
    await writeFile(join(system.source, 'SUB-2/DS-3/a.md5'), digest('md5', 'a'));
    const later = await imported('DS-3');
    expect(later).toMatchObject({ state: 'finished' });
    expect(later.id).not.toBe(id);
    expect((await system.get(`/imports/${id}/report`)).body).toMatchObject({ counts: { 'checksum.mismatch': 1 } });
  });
});
