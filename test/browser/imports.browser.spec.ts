import { digest } from '../../apps/provisioner/test/support/delivery.ts';
import { consoleSuite } from './support/console-suite.ts';
import { admin } from './support/console-system.ts';

const auditor = { ...admin, login: 'auditor@example.org' };
const pages = ['/imports/submissions', '/imports/datasets', '/imports/runs', '/imports/schedule'];

/** The worker's bandwidth in bytes per second until a test lifts the limit, so that an import is visible for a while. */
const rate = 1_000_000;
/** Bytes of a watched dataset, large enough that its import does not end while a busy browser still renders. */
const large = 40 * rate;

describe('importing in the console', () => {
  const { system, visitor } = consoleSuite(async () => {
    await system.start({ COPY_RATE_LIMIT: String(rate) });
    await system.addPerson(auditor.login, ['auditor']);
  });

  beforeEach(() => {
    system.provisioner.copyAt(rate);
  });

  const ask = async (name: string): Promise<void> => {
    await visitor.press(name);
    await visitor.confirm(name);
  };
  const cell = (name: string) => visitor.main.getByRole('cell', { name, exact: true });
  const bad = (path: string): string => `${'0'.repeat(64)}  ${path}\n`;
  const good = (path: string, text: string): string => `${digest('sha256', text)}  ${path}\n`;
  const imported = async (id: string): Promise<string> => {
    const { body } = await system.provisioner.post('/datasets/srcsys/import?wait=30', { dataset_id: id });
    await system.provisioner.ended(body.id);
    return body.id;
  };

  it('should show on every empty page what to do', async () => {
    const lists = ['/submissions/srcsys', '/datasets/srcsys', '/imports'];
    const empty = { items: [], total: 0, as_of: new Date().toISOString() };
    await visitor.page.route(
      ({ pathname }) => lists.includes(pathname),
      (route) => route.fulfill({ json: empty }),
    );
    await visitor.signIn(undefined, pages[0]);
    for (const path of pages) {
      await visitor.open(path);
      expect([path, await visitor.violations()]).toEqual([path, []]);
    }
    await visitor.open('/imports/datasets');
    await visitor.reads('Nothing has been delivered');
    await visitor.open('/imports/runs');
    await visitor.link('Show the datasets').click();
    await visitor.heading('Datasets in storage');
  });

  it('should show the progress of an import by events, and its manifest at the end', async () => {
    await system.provisioner.deliver('SUB-1', {
      'DS-1/scan.raw': Buffer.alloc(large, 7),
      'DS-1/about.txt': 'About',
    });
    await visitor.signIn(undefined, '/imports/datasets');
    await visitor.link('DS-1').click();
    await visitor.heading('DS-1');
    await visitor.press('Import');
    await visitor.dialog().getByRole('cell', { name: '40 MB' }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visitor.confirm('Import');
    await visitor.heading('Dataset DS-1');
    await visitor.page.locator('[role=progressbar]:not([aria-valuenow="0"])').waitFor();
    await visitor.main.getByRole('row', { name: /^Time left/ }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    system.provisioner.copyAt(0);
    await visitor.reads('Finished');
    await visitor.gone(visitor.page.getByRole('progressbar', { name: 'Progress' }));
    const reads = asked.filter((path) => /^\/imports\/[0-9A-Z]{26}(\/events)?$/.test(path));
    expect(reads.filter((path) => path.endsWith('/events'))).toHaveLength(1);
    expect(reads.length).toBeLessThanOrEqual(2);
    await cell('scan.raw').waitFor();
    await cell('data/raw/DS-1/').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.link('DS-1').click();
    await visitor.heading('DS-1');
    await visitor.reads('Imported');
    const download = visitor.page.waitForEvent('download');
    await visitor.link('Download the manifest').click();
    expect((await download).suggestedFilename()).toBe('DS-1.ndjson');
    expect(await visitor.violations()).toEqual([]);
  });

  it('should continue to show an import when its events were refused', async () => {
    await system.provisioner.deliver('SUB-11', { 'DS-11/scan.raw': Buffer.alloc(large, 7) });
    await visitor.signIn(undefined, '/imports/datasets/DS-11');
    await visitor.page.route('**/events', (route) => route.fulfill({ status: 502 }), { times: 1 });
    await ask('Import');
    await visitor.main.getByText('The connection is interrupted').waitFor();
    await visitor.reads('Shown live.');
    system.provisioner.copyAt(0);
    await visitor.reads('Finished');
  });

  it('should show that it is live again when the connection returns without a change', async () => {
    await system.provisioner.deliver('SUB-12', { 'DS-12/a': '1' });
    const asked = { dataset_id: 'DS-12', not_before: '2100-01-01T00:00:00Z' };
    const { body } = await system.provisioner.post('/datasets/srcsys/import', asked);
    const known = { contentType: 'text/event-stream', body: 'retry: 2000\n\nid: 1-queued-queued-0-0\n\n' };
    await visitor.signIn(undefined, '/imports/runs');
    await visitor.page.route('**/events', (route) => route.fulfill(known), { times: 1 });
    await visitor.link('Dataset DS-12').click();
    await visitor.main.getByText('The connection is interrupted').waitFor();
    await visitor.reads('Shown live.');
    await system.provisioner.post(`/imports/${body.id}/cancel`);
    await visitor.reads('Cancelled');
  });

  it('should cancel an import', async () => {
    await system.provisioner.deliver('SUB-7', { 'DS-7/large.raw': Buffer.alloc(large) });
    await visitor.signIn(undefined, '/imports/datasets/DS-7');
    await ask('Import');
    await visitor.heading('Dataset DS-7');
    await ask('Cancel the import');
    await visitor.reads('Cancelled');
    await visitor.button('Try again').waitFor();
  });

  it('should name every faulty file, and import again when the delivery is fixed', async () => {
    const files = { 'DS-2/one.txt': 'one', 'DS-2/two.txt': 'two' };
    await system.provisioner.deliver('SUB-2', { ...files, 'DS-2/SHA256SUMS': bad('one.txt') + bad('two.txt') });
    await visitor.signIn(undefined, '/imports/datasets/DS-2');
    await ask('Import');
    await visitor.main.getByRole('alert').getByText('The delivery was rejected').waitFor();
    await cell('one.txt').waitFor();
    await cell('two.txt').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await ask('Try again');
    await visitor.dialog().getByRole('alert').getByText('was rejected:').waitFor();
    const sums = good('one.txt', 'one') + good('two.txt', 'two');
    await system.provisioner.deliver('SUB-2', { 'DS-2/SHA256SUMS': sums });
    await visitor.confirm('Try again');
    await visitor.reads('Finished');
    await cell('SHA256SUMS').waitFor();
  });

  it('should show the plan of an import of all missing datasets, and run it', async () => {
    await system.provisioner.deliver('SUB-3', { 'README.md': 'About', 'DS-3/a': '1', 'DS-4/a': '22' });
    await visitor.signIn(undefined, '/imports/datasets?submission=SUB-3');
    await visitor.link('DS-4').waitFor();
    await visitor.press('Import all that is missing');
    const dialog = visitor.dialog();
    await dialog.getByRole('cell', { name: /datasets, .* submissions/ }).waitFor();
    await dialog.getByRole('row', { name: /^Room in storage/ }).waitFor();
    expect(await visitor.violations()).toEqual([]);
    await visitor.confirm('Import all that is missing');
    await visitor.heading('Imports');
    await visitor.link('Submission SUB-3').click();
    await visitor.heading('Submission SUB-3');
    await visitor.reads('Finished');
    await visitor.link('SUB-3').click();
    await cell('data/projects/SUB-3/').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('should import a submission with its datasets', async () => {
    await system.provisioner.deliver('SUB-5', { 'README.md': 'About', 'DS-5/a': '1', 'DS-6/a': '22' });
    await visitor.signIn(undefined, '/imports/submissions');
    await visitor.link('SUB-5').click();
    await visitor.press('Import');
    const whole = visitor.dialog().getByLabel('Import its 2 missing datasets too');
    const missing = visitor.dialog().getByRole('row', { name: 'Datasets not in storage 2 of 3 B' });
    await missing.waitFor();
    expect(await visitor.violations()).toEqual([]);
    await whole.uncheck();
    await visitor.gone(missing);
    await whole.check();
    await missing.waitFor();
    await visitor.confirm('Import');
    await visitor.heading('Submission SUB-5');
    await visitor.reads('Finished');
    await visitor.open('/imports/runs?q=DS-6');
    await visitor.link('Dataset DS-6').click();
    await visitor.heading('Dataset DS-6');
    await visitor.reads('Finished');
  });

  it('should send only one request for the plan of a submission, and name the datasets that cannot be imported', async () => {
    await system.provisioner.deliver('SUB-13', { 'DS-13/a': '1', 'DS-14/SHA256SUMS': bad('gone'), 'DS-15/a': '1' });
    await system.provisioner.deliver('SUB-14', { 'DS-15/a': '1' });
    await visitor.signIn(undefined, '/imports/submissions/SUB-13');
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visitor.press('Import');
    await visitor.dialog().getByText('DS-14 has a problem.').waitFor();
    await visitor
      .dialog()
      .getByText(/^DS-15: .*SUB-14/)
      .waitFor();
    expect(asked.filter((path) => path.startsWith('/datasets') || path.startsWith('/submissions'))).toEqual([
      '/submissions/srcsys/import',
    ]);
    expect(await visitor.violations()).toEqual([]);
  });

  it('should report an invalid id, and keep the navigation when a page breaks', async () => {
    await system.provisioner.deliver('SUB-16', { 'a b%/c': '1', 'a b /c': '1', 'diff/c': '1' });
    await visitor.signIn(undefined, '/imports/datasets?submission=SUB-16');
    await cell('diff').waitFor();
    await visitor.gone(visitor.link('diff'));
    await cell('its name cannot be an id').first().waitFor();
    await visitor.link('a b%').click();
    await visitor.heading('a b%');
    await visitor.reads('its name cannot be an id');
    expect(await visitor.violations()).toEqual([]);
    await visitor.open('/imports/datasets?submission=SUB-16');
    await visitor.main.locator('a[href*="a%20b%20"]').click();
    await visitor.heading('a b');
    await visitor.reads('its name cannot be an id');
    await visitor.page.reload();
    await visitor.reads('its name cannot be an id');
    await visitor.page.route('**/datasets/srcsys/RDC_1', (route) => route.fulfill({ json: {} }));
    await visitor.open('/imports/datasets/RDC_1');
    await visitor.main.getByRole('alert').waitFor();
    await visitor.goTo('Submissions');
    await visitor.heading('Submissions');
    // The browser reports the broken page, as expected.
    expect(visitor.complaints.splice(0)).not.toEqual([]);
  });

  it('should set, pause and remove the time of the schedule', async () => {
    await visitor.signIn(undefined, '/imports/schedule');
    const cron = visitor.page.getByRole('textbox', { name: 'Cron fields, in UTC' });
    await cron.fill('nightly');
    await visitor.press('Save');
    await visitor.faultAt('cron');
    await cron.fill('30 3 * * 0');
    await visitor.press('Save');
    await cell('30 3 * * 0').waitFor();
    expect(await visitor.violations()).toEqual([]);
    await ask('Pause');
    await visitor.main.getByRole('row', { name: /^Next time never/ }).waitFor();
    await ask('Use the setting again');
    await visitor.main.getByText('the setting IMPORT_CRON').waitFor();
  });

  it('should show every page to an auditor on a phone, without the buttons that an auditor may not use', async () => {
    await system.provisioner.deliver('SUB-9', { 'DS-9/a': '1', 'DS-10/a': '1' });
    const run = await imported('DS-9');
    await visitor.page.setViewportSize({ width: 360, height: 740 });
    await visitor.signIn(auditor, pages[0]);
    await visitor.heading('Submissions');
    const own = ['datasets/DS-9', 'datasets/DS-10', 'submissions/SUB-9', `runs/${run}`];
    for (const path of [...pages, ...own.map((each) => `/imports/${each}`)]) {
      await visitor.open(path);
      await visitor.main.getByRole('table').first().waitFor();
      expect([path, await visitor.violations()]).toEqual([path, []]);
      for (const name of ['Import', 'Import all that is missing', 'Verify again', 'Save', 'Try again']) {
        await visitor.gone(visitor.button(name));
      }
      await visitor.fits();
    }
  });
});
