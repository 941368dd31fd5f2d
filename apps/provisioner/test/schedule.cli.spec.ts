import { provisioner, type Ended } from './support/command-line.js';
import { TestSystem } from './support/system.js';

describe('provisioner schedule', () => {
  let system: TestSystem;

  beforeEach(async () => {
    system = await TestSystem.create({ IMPORT_CRON: '0 2 * * *' });
    await system.deliver('SUB-1', { 'DS-1/a': '1', 'a b/c': '1' });
    await system.startServer();
  });

  afterEach(() => system.stop());

  const run = (...words: string[]): Promise<Ended> => provisioner(system.environment, 'schedule', ...words);
  const json = async (...words: string[]): Promise<unknown> => JSON.parse((await run(...words, '--json')).out);

  it('should show, replace, disable and restore the setting', async () => {
    expect((await run()).out).toContain('imports of the whole diff: 0 2 * * * (from IMPORT_CRON); next run: ');
    expect(await json('set', '30 3 * * 0')).toMatchObject({
      ...{ cron: '30 3 * * 0', origin: 'stored', changed_by: expect.stringMatching(/^command line: ./) as string },
    });
    expect(await json('show')).toEqual(JSON.parse((await system.get('/imports/schedule')).text));
    expect((await run('set', 'never')).out).toMatch(
      /^imports of the whole diff: never \(set by .*\); next run: none$/m,
    );
    expect(await json('set', 'default')).toMatchObject({ cron: '0 2 * * *', origin: 'setting' });
    const refused = await run('set', 'nightly');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('five cron fields') as string]);
  });

  it('should queue the whole diff and report the skipped datasets', async () => {
    expect(await json('run')).toMatchObject({ queued: 2, skipped: { 'id.invalid': 1 }, error: null });
    expect((await system.get('/imports')).body.items.map(({ state }) => state)).toEqual(['queued', 'queued']);
    const shown = (await run('show')).out;
    expect(shown).toContain('  queued: 2 imports\n  skipped: 1 id.invalid\n');
    expect(await json('run')).toMatchObject({ queued: 0, skipped: { 'id.invalid': 1, importing: 2 } });
  });
});
