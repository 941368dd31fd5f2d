import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../../test/support/until.ts';
import { pythonPackage } from '../../../test/support/python-package.ts';
import { TestSystem } from './support/system.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const context = join(root, 'test/vendor/ro-crate-context-1.2/context.json');
const cacheFiller = join(import.meta.dirname, 'support/fill-http-cache.py');

interface Report {
  readonly passed: boolean;
  readonly issues: readonly { readonly message: string; readonly severity: string }[];
}

describe('the RO-Crate of a project collection', () => {
  let system: TestSystem;
  let programs: string;
  /** The folder of an imported collection with its crate. */
  let folder: string;

  beforeAll(async () => {
    programs = await pythonPackage('roc-validator', '0.13.0');
    system = await TestSystem.create();
    await system.deliver('SUB-1', {
      'submission.json': JSON.stringify({ title: 'One', description: 'The first.', submitter: 'Ada Byron' }),
      'terms of use.txt': 'yes',
      'DS-1/a': '1',
    });
    await system.startServer();
    await system.startWorker();
    const { body } = await system.post('/submissions/srcsys/import', { reference: 'SUB-1', datasets: 'all' });
    await system.ended(body.id);
    folder = join(system.storage, 'data/projects/SUB-1');
    await until(() => existsSync(join(folder, 'ro-crate-metadata.json')));
  }, 300_000);

  afterAll(async () => {
    await system.stop();
  });

  it('should be valid when roc-validator checks the requirements of RO-Crate 1.2', async () => {
    expect(await validate(folder)).toEqual({ passed: true, messages: [] });
  });

  it('should be invalid for roc-validator when its root has no name', async () => {
    const text = await readFile(join(folder, 'ro-crate-metadata.json'), 'utf8');
    const broken = join(system.storage, '../broken');
    await mkdir(broken);
    await writeFile(join(broken, 'ro-crate-metadata.json'), text.replaceAll('"name"', '"unnamed"'));
    expect(await validate(broken)).toMatchObject({ passed: false });
  });

  /** Validates a crate by the requirements of RO-Crate 1.2, without the network. */
  async function validate(crate: string): Promise<{ readonly passed: boolean; readonly messages: readonly string[] }> {
    const cache = join(system.storage, '../cache');
    const report = join(system.storage, '../report.json');
    await run(join(programs, 'python'), [cacheFiller, cache, 'https://w3id.org/ro/crate/1.2/context', context]);
    const limits = ['--offline', '--cache-path', cache, '--skip-availability-check', '-l', 'REQUIRED'];
    const output = ['--output-format', 'json', '--output-file', report, '--no-paging'];
    const words = ['-y', 'validate', '--profile-identifier', 'ro-crate-1.2', ...limits, ...output, crate];
    await run(join(programs, 'rocrate-validator'), words).catch(() => undefined);
    const { passed, issues } = JSON.parse(await readFile(report, 'utf8')) as Report;
    return { passed, messages: issues.map(({ message }) => message) };
  }
});
