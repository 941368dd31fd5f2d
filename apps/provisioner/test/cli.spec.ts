import { access, chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { provisioner, type Ended } from './support/command-line.js';
import { onEachQueue } from './support/queues.js';
import { TestSystem } from './support/system.js';

onEachQueue('provisioner command line', (queue) => {
  let system: TestSystem;

  beforeEach(async () => {
    await queue.redis?.flush();
    system = await TestSystem.create(queue.settings);
    await system.deliver('SUB-1', { 'README.md': 'About', 'DS-1/a': '12345', 'DS-2/b': '1', 'DS-3/c': '1' });
    await system.deliver('SUB-2', { 'DS-4/sub\u001b[2Jject': '1', 'DS-4/SHA256SUMS': `${'0'.repeat(64)}  gone\n` });
    await system.startWorker();
  });

  afterEach(() => system.stop());

  const run = (...words: string[]): Promise<Ended> => provisioner(system.environment, ...words);
  const json = async (...words: string[]): Promise<Record<string, unknown>[]> => {
    const { out } = await run(...words, '--json');
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('should list datasets and submissions as a table and as lines of JSON', async () => {
    const { code, out } = await run('list');
    expect([code, out.split('\n')[0]?.split(/\s+/)]).toEqual([
      0,
      ['DATASET', 'SUBMISSION', 'STATE', 'HELD', 'IN', 'READY', 'FILES', 'SIZE', 'PROBLEMS', 'TITLE'],
    ]);
    expect(out).toMatch(/^DS-1 +SUB-1 +not_imported +source +yes +1 +5 B +- +-$/m);
    expect(await json('list', 'submissions')).toMatchObject([{ reference: 'SUB-1' }, { reference: 'SUB-2' }]);
    expect(await json('diff', '--submission', 'SUB-1')).toMatchObject([{ id: 'DS-1' }, { id: 'DS-2' }, { id: 'DS-3' }]);
    expect(await json('list', '--no-scan', '--q', 'ds-2')).toMatchObject([{ id: 'DS-2', files: null }]);
  });

  it('should plan, import, show and verify a dataset', async () => {
    expect(await run('plan', 'DS-1')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 files, 5 B') as string,
    });
    const imported = await run('import', 'DS-1', 'DS-2');
    expect(imported.code).toBe(0);
    expect(imported.out).toContain('1 files, 5 B in data/raw/DS-1/');
    expect(imported.out).toContain('compared with declared checksums: 0 of 1 files\n');
    expect((await json('diff')).map(({ id }) => id)).toEqual(['DS-3', 'DS-4']);
    const again = await json('import', 'DS-1');
    expect(again).toMatchObject([{ subject: 'DS-1', state: 'finished', requested_by: /^command line: ./ }]);
    expect(await json('status', '--limit', '2')).toHaveLength(2);
    expect(await run('status', String(again[0]?.['id']))).toMatchObject({ code: 0 });
    expect(await run('verify', 'DS-1')).toMatchObject({ code: 0, err: '' });
  });

  it('should list every changed file and exit with 4 when a verification finds differences', async () => {
    await run('import', 'DS-2');
    const file = join(system.storage, 'data/raw/DS-2/b');
    await chmod(file, 0o640);
    await writeFile(file, '2');
    const { code, out } = await run('verify', 'DS-2');
    expect(code).toBe(4);
    expect(out).toMatch(/checksum\.mismatch {2}b {2}b has SHA-256/);
  });

  it('should plan a submission with its datasets', async () => {
    await run('import', 'DS-1');
    const planned = await run('plan', '--submission', 'SUB-1', '--datasets', 'all');
    expect(planned).toMatchObject({ code: 0, err: '' });
    expect(planned.out).toMatch(
      /^SUB-1: not_imported, ready; 1 files, 5 B; .* free\nDS-1: imported, ready; 1 files, 5 B\n/,
    );
    expect(planned.out).toContain('\nDS-3: not_imported, ready; 1 files, 1 B\n');
    expect(await json('plan', '--submission', 'SUB-2', '--datasets', 'DS-4')).toMatchObject([
      { subject: 'SUB-2', datasets: [{ dataset_id: 'DS-4', plan: { problem_count: 1 } }] },
    ]);
    expect(await run('plan', '--submission', 'SUB-2', '--datasets', 'DS-4')).toMatchObject({ code: 3 });
  });

  it('should import a submission with its datasets', async () => {
    const { code, out } = await run('import', '--submission', 'SUB-1', '--datasets', 'all');
    expect(code).toBe(0);
    expect(out).toContain('data/projects/SUB-1/');
    expect(out).toContain('data/raw/DS-3/');
  });

  it('should show the problems of a rejected import without control characters', async () => {
    const { code, out } = await run('import', 'DS-4');
    expect(code).toBe(4);
    expect(out).toContain('file.missing  gone');
    expect(out).not.toContain('\u001b');
    expect(await run('import', 'DS-4')).toMatchObject({
      code: 3,
      err: expect.stringContaining('source.rejected') as string,
    });
  });

  it('should withdraw a dataset, keep its files, and import the dataset again', async () => {
    await run('import', 'DS-1');
    const { code, out } = await run('withdraw', 'DS-1', '--reason', 'Consent was withdrawn');
    expect(code).toBe(0);
    const [, id, path = ''] = /^(\S+) {2}withdraw DS-1 {2}finished {2}1 files, 5 B in (\S+)$/m.exec(out) ?? [];
    expect(out).toContain('reason: Consent was withdrawn');
    expect(await readFile(join(system.storage, path, 'a'), 'utf8')).toBe('12345');
    expect(await json('diff', '--q', 'DS-1')).toMatchObject([
      { state: 'not_imported', import: { id, state: 'withdrawn' }, path: null },
    ]);
    expect(await json('status', String(id))).toMatchObject([{ kind: 'withdraw', reason: 'Consent was withdrawn' }]);
    expect(await run('withdraw', 'DS-1', '--reason', 'again')).toMatchObject({ code: 3 });
    expect(await run('import', 'DS-1')).toMatchObject({
      code: 3,
      err: expect.stringContaining('was withdrawn') as string,
    });
    const [imported] = await json('import', 'DS-1', '--reimport-of-withdrawn');
    expect(imported).toMatchObject({ state: 'finished', result: { path: 'data/raw/DS-1/' } });
    expect(await json('list', '--q', 'DS-1')).toMatchObject([{ state: 'imported', import: { id: imported?.['id'] } }]);
    await access(join(system.storage, path, '.import/commit.json'));
  });

  it('should cancel an import that waits for its start time', async () => {
    await system.deliver('SUB-3', { 'DS-5/a': '1' });
    const [requested] = await json('import', 'DS-5', '--no-wait', '--not-before', '2100-01-01');
    expect(requested).toMatchObject({ state: 'queued' });
    expect(await run('cancel', String(requested?.['id']))).toMatchObject({ code: 0 });
  });

  it('should show an import that was removed from the log when its dataset is still stored', async () => {
    const [first] = await json('import', 'DS-3');
    await rm(join(system.storage, 'data/.requests/done'), { recursive: true });
    expect(await json('status')).toEqual([]);
    expect(await run('import', 'DS-3')).toMatchObject({ code: 0 });
    expect(await json('import', 'DS-3')).toMatchObject([
      { id: first?.['id'], state: 'finished', requested_by: first?.['requested_by'], result: first?.['result'] },
    ]);
  });
});

describe('provisioner command line without a worker', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await mkdir(join(system.storage, 'data'));
    await system.deliver('SUB-1', { 'DS-1/a': '1' });
  });

  afterAll(() => system.stop());

  const run = (...words: string[]): Promise<Ended> => provisioner(system.environment, ...words);

  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['list', 'people'], 'Allowed choices are datasets, submissions'],
    [['list', '--state', 'gone'], '--state must be one of not_imported'],
    [['diff', '--unknown'], '--unknown'],
    [['plan'], 'Specify either one dataset id'],
    [['plan', 'DS-1', '--datasets', 'all'], '--datasets requires --submission'],
    [['list', '--q', 'a', '--q', 'b'], "option '--q <text>' given more than once"],
    [['import'], 'Specify dataset ids'],
    [['import', 'DS-1', '--priority', '0'], '--priority'],
    [['import', 'DS-1', '--datasets', 'all'], '--datasets requires --submission'],
    [['import', '--submission', 'SUB-1', '--datasets', ','], 'It must be "none", "all" or dataset ids'],
    [['import', 'DS-1', '--not-before', 'soon'], '--not-before'],
    [['verify'], "missing required argument 'dataset_id'"],
    [['status', '--limit', '-1'], '--limit'],
    [
      ['status', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '--state', 'failed'],
      '--state and --limit cannot be combined with import ids',
    ],
    [
      ['status', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '--limit', '1'],
      '--state and --limit cannot be combined with import ids',
    ],
    [
      ['status', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '--files', '--wait'],
      "option '--files' cannot be used with option '--wait'",
    ],
    [['cancel'], "missing required argument 'import_id'"],
    [['withdraw', 'DS-1'], '--reason'],
    [['withdraw', '--reason', 'why'], "missing required argument 'dataset_id'"],
  ])('should print the error and a reference to the help for %j, and exit with 2', async (words, message) => {
    const { code, out, err } = await run(...words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).toContain('Use --help');
  });

  it.each([
    [['plan', 'DS-99'], 'DS-99'],
    [['import', 'DS-99'], 'DS-99'],
    [['verify', 'DS-1'], 'not imported'],
    [['status', 'none'], 'none'],
    [['withdraw', 'DS-1', '--reason', 'why'], 'DS-1'],
    [['cancel', '01ARZ3NDEKTSV4RRFFQ69G5FAV'], '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    [['list', '--submission', 'SUB-9'], 'SUB-9'],
  ])('should refuse %j with a message, and exit with 3', async (words, message) => {
    const { code, out, err } = await run(...words);
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain(message);
    expect(err).not.toContain('    at ');
  });

  it('should name a missing setting or an unavailable queue, and exit with 1', async () => {
    const unset = await provisioner({ ...system.environment, SOURCE_URL: '' }, 'list');
    expect(unset).toMatchObject({ code: 1, err: expect.stringContaining('SOURCE_URL') as string });
    const away = await provisioner(
      { ...system.environment, QUEUE_URL: 'postgres://127.0.0.1:1/none' },
      'import',
      'DS-1',
    );
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('queue') as string });
  });

  it('should print the help of the program and of a command', async () => {
    expect(await run('help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('import [options] [dataset_id...]') as string,
    });
    expect(await run('diff', '--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage:') as string });
  });
});
