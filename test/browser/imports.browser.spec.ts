import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digest } from '../../apps/provisioner/test/support/delivery.ts';
import { admin, ConsoleSystem } from './support/console-system.ts';
import { Visitor } from './support/visitor.ts';

const auditor = { ...admin, login: 'auditor@example.org' };
const pages = ['/imports/submissions', '/imports/datasets', '/imports/runs', '/imports/schedule'];

/** Bytes a second that the worker copies: slow enough for a person to see it. */
const rate = 2_000_000;

describe('importing in the console', () => {
  let system: ConsoleSystem;
  let visitor: Visitor;

  beforeAll(async () => {
    system = await ConsoleSystem.start({ COPY_RATE_LIMIT: String(rate) });
    await system.addPerson(auditor.login, ['auditor']);
  });

  beforeEach(async () => {
    visitor = await Visitor.come(system.origin);
  });

  afterEach(async () => {
    await visitor.leave();
    expect(visitor.complaints).toEqual([]);
  });

  afterAll(() => system.stop());

  const press = (name: string): Promise<void> => visitor.page.getByRole('button', { name, exact: true }).click();
  const confirm = (name: string): Promise<void> =>
    visitor.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const state = (name: string): Promise<void> => visitor.page.getByText(name, { exact: true }).first().waitFor();
  const bad = (path: string): string => `${'0'.repeat(64)}  ${path}\n`;
  const good = (path: string, text: string): string => `${digest('sha256', text)}  ${path}\n`;

  it('should say on every page what to do as long as there is nothing', async () => {
    await visitor.signIn(undefined, pages[0]);
    for (const path of pages) {
      await visitor.open(path);
      expect([path, await visitor.violations()]).toEqual([path, []]);
    }
    await visitor.open('/imports/datasets');
    await visitor.page.getByText('Nothing has been delivered').waitFor();
    await visitor.open('/imports/runs');
    await visitor.page.getByRole('link', { name: 'Show the datasets' }).click();
    await visitor.heading('Datasets in storage');
  });

  it('should show an import to its end by events, and then its manifest', async () => {
    await system.provisioner.deliver('SUB-1', {
      'DS-1/scan.raw': Buffer.alloc(10 * rate, 7),
      'DS-1/about.txt': 'About',
    });
    await visitor.signIn(undefined, '/imports/datasets');
    await visitor.page.getByRole('link', { name: 'DS-1' }).click();
    await visitor.heading('DS-1');
    await press('Import');
    await visitor.page.getByRole('dialog').getByRole('cell', { name: '20 MB' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await confirm('Import');
    await visitor.heading('Dataset DS-1');
    const bar = visitor.page.getByRole('progressbar', { name: 'Progress' });
    await visitor.page.locator('[role=progressbar]:not([aria-valuenow="0"])').waitFor();
    await visitor.page.getByRole('row', { name: /^Time left/ }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await bar.waitFor({ state: 'detached' });
    await state('Finished');
    const reads = asked.filter((path) => /^\/imports\/[0-9A-Z]{26}(\/events)?$/.test(path));
    expect(reads.filter((path) => path.endsWith('/events'))).toHaveLength(1);
    expect(reads.length).toBeLessThanOrEqual(2);
    await visitor.page.getByRole('cell', { name: 'scan.raw' }).waitFor();
    await visitor.page.getByRole('cell', { name: 'data/raw/DS-1/' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.page.getByRole('link', { name: 'DS-1' }).click();
    await visitor.heading('DS-1');
    await state('Imported');
    const download = visitor.page.waitForEvent('download');
    await visitor.page.getByRole('link', { name: 'Download the manifest' }).click();
    expect((await download).suggestedFilename()).toBe('DS-1.ndjson');
    expect(await visitor.violations()).toEqual([]);
  });

  it('should name every file that is at fault, and try again once the delivery is mended', async () => {
    const files = { 'DS-2/one.txt': 'one', 'DS-2/two.txt': 'two' };
    await system.provisioner.deliver('SUB-2', { ...files, 'DS-2/SHA256SUMS': bad('one.txt') + bad('two.txt') });
    await visitor.signIn(undefined, '/imports/datasets/DS-2');
    await press('Import');
    await confirm('Import');
    await visitor.page.getByRole('alert').getByText('The delivery was rejected').waitFor();
    await visitor.page.getByRole('cell', { name: 'one.txt', exact: true }).waitFor();
    await visitor.page.getByRole('cell', { name: 'two.txt', exact: true }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await press('Try again');
    await confirm('Try again');
    await visitor.page.getByRole('dialog').getByRole('alert').getByText('was rejected as it is').waitFor();
    const sums = good('one.txt', 'one') + good('two.txt', 'two');
    await system.provisioner.deliver('SUB-2', { 'DS-2/SHA256SUMS': sums });
    await confirm('Try again');
    await state('Finished');
    await visitor.page.getByRole('cell', { name: 'SHA256SUMS' }).waitFor();
  });

  it('should show what importing all that is missing takes, and do it', async () => {
    await system.provisioner.deliver('SUB-3', { 'README.md': 'About', 'DS-3/a': '1', 'DS-4/a': '22' });
    await visitor.signIn(undefined, '/imports/datasets?submission=SUB-3');
    await visitor.page.getByRole('link', { name: 'DS-4' }).waitFor();
    await press('Import all that is missing');
    await visitor.page
      .getByRole('dialog')
      .getByRole('cell', { name: /datasets, .* submissions/ })
      .waitFor();
    await visitor.page
      .getByRole('dialog')
      .getByRole('row', { name: /^Room in storage/ })
      .waitFor();
    expect(await visitor.violations()).toEqual([]);
    await confirm('Import all that is missing');
    await visitor.heading('Imports');
    await visitor.page.getByRole('link', { name: 'Submission SUB-3' }).click();
    await state('Finished');
    await visitor.page.getByRole('link', { name: 'SUB-3' }).click();
    await visitor.page.getByRole('cell', { name: 'data/projects/SUB-3/' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should import a submission with its datasets', async () => {
    await system.provisioner.deliver('SUB-5', { 'README.md': 'About', 'DS-5/a': '1', 'DS-6/a': '22' });
    await visitor.signIn(undefined, '/imports/submissions');
    await visitor.page.getByRole('link', { name: 'SUB-5' }).click();
    await press('Import');
    await visitor.page.getByLabel('Import its 2 missing datasets too').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await confirm('Import');
    await visitor.heading('Submission SUB-5');
    await state('Finished');
    await visitor.open('/imports/runs?q=DS-6');
    await visitor.page.getByRole('link', { name: 'Dataset DS-6' }).click();
    await state('Finished');
  });

  it('should go on showing an import after its events were refused', async () => {
    await system.provisioner.deliver('SUB-11', { 'DS-11/scan.raw': Buffer.alloc(10 * rate, 7) });
    await visitor.signIn(undefined, '/imports/datasets/DS-11');
    await visitor.page.route('**/events', (route) => route.fulfill({ status: 502 }), { times: 1 });
    await press('Import');
    await confirm('Import');
    await visitor.page.getByText('The connection is interrupted').waitFor();
    await visitor.page.getByText('Shown live.').waitFor();
    await state('Finished');
  });

  it('should cancel an import', async () => {
    await system.provisioner.deliver('SUB-7', { 'DS-7/large.raw': Buffer.alloc(60 * rate) });
    await visitor.signIn(undefined, '/imports/datasets/DS-7');
    await press('Import');
    await confirm('Import');
    await visitor.heading('Dataset DS-7');
    await press('Cancel the import');
    await confirm('Cancel the import');
    await state('Cancelled');
    await visitor.page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  it('should verify again what is imported, and say what differs', async () => {
    await system.provisioner.deliver('SUB-8', { 'DS-8/a.txt': 'one', 'DS-8/b.txt': 'two' });
    const { body } = await system.provisioner.post('/datasets/srcsys/import?wait=30', { dataset_id: 'DS-8' });
    await system.provisioner.ended(body.id);
    await visitor.signIn(undefined, '/imports/datasets/DS-8');
    await press('Verify again');
    await confirm('Verify again');
    await visitor.page.getByText('Every file is as it was imported.').waitFor();
    const file = join(system.provisioner.storage, 'data/raw/DS-8/a.txt');
    await chmod(file, 0o600);
    await writeFile(file, 'ill');
    await chmod(file, 0o400);
    await visitor.open('/imports/datasets/DS-8');
    await press('Verify again');
    await confirm('Verify again');
    await visitor.page.getByRole('alert').getByText('It failed').waitFor();
    await visitor.page.getByRole('cell', { name: 'a.txt', exact: true }).waitFor();
    expect(await visitor.page.getByRole('cell', { name: 'b.txt', exact: true }).count()).toBe(0);
    expect(await visitor.violations()).toEqual([]);
  });

  it('should set, pause and take back the time of the schedule', async () => {
    await visitor.signIn(undefined, '/imports/schedule');
    const cron = visitor.page.getByRole('textbox', { name: 'Cron fields, in UTC' });
    await cron.fill('nightly');
    await press('Save');
    await visitor.page.locator('input[data-path="cron"][aria-invalid=true]').waitFor();
    await cron.fill('30 3 * * 0');
    await press('Save');
    await visitor.page.getByRole('cell', { name: '30 3 * * 0' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await press('Pause');
    await confirm('Pause');
    await visitor.page.getByRole('row', { name: /^Next time never/ }).waitFor();
    await press('Use the setting again');
    await confirm('Use the setting again');
    await visitor.page.getByText('the setting IMPORT_CRON').waitFor();
  });

  it('should show everything to an auditor, at the width of a phone, and no button that they may not press', async () => {
    await system.provisioner.deliver('SUB-9', { 'DS-9/a': '1', 'DS-10/a': '1' });
    const { body } = await system.provisioner.post('/datasets/srcsys/import?wait=30', { dataset_id: 'DS-9' });
    await system.provisioner.ended(body.id);
    await visitor.leave();
    visitor = await Visitor.come(system.origin, { width: 360, height: 740 });
    await visitor.open(pages[0]);
    await visitor.fillIn(auditor);
    await visitor.heading('Submissions');
    const own = [
      '/imports/datasets/DS-9',
      '/imports/datasets/DS-10',
      '/imports/submissions/SUB-9',
      `/imports/runs/${body.id}`,
    ];
    for (const path of [...pages, ...own]) {
      await visitor.open(path);
      await visitor.page.locator('main').getByRole('table').first().waitFor();
      expect([path, await visitor.violations()]).toEqual([path, []]);
      for (const name of ['Import', 'Import all that is missing', 'Verify again', 'Save', 'Try again']) {
        expect([path, name, await visitor.page.getByRole('button', { name, exact: true }).count()]).toEqual([
          path,
          name,
          0,
        ]);
      }
      const width = await visitor.page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, width <= 360]).toEqual([path, true]);
    }
  });
});
