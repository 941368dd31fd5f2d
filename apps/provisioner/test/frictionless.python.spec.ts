import { execFile } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeTree } from '../src/storage/posix/remove-tree.js';
import { digest, layFiles } from './support/delivery.js';
import { Engine } from './support/engine.js';
import { pythonPackage } from '../../../test/support/python-package.ts';

const run = promisify(execFile);

const table = 'a,b\n1,2\n';
const wrong = 'x';

/** Members of the only resource, whose file is delivered as `a.csv`. */
const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  plain: { path: 'a.csv' },
  'an-md5': { path: 'a.csv', hash: digest('md5', table), bytes: table.length },
  'a-sha256': { path: 'a.csv', hash: `sha256:${digest('sha256', table)}` },
  'a-wrong-md5': { path: 'a.csv', hash: digest('md5', wrong) },
  'a-wrong-sha256': { path: 'a.csv', hash: `sha256:${digest('sha256', wrong)}` },
  'a-wrong-size': { path: 'a.csv', bytes: table.length + 1 },
  'a-dot': { path: './a.csv', hash: digest('md5', table) },
  'a-missing-file': { path: 'b.csv' },
  'a-path-outside': { path: '../a.csv' },
  'an-absolute-path': { path: '/a.csv' },
};

describe('a data package that frictionless judges', () => {
  let programs: string;
  let root: string;
  let engine: Engine;

  beforeAll(async () => {
    programs = await pythonPackage('frictionless', '5.21.0');
    root = await mkdtemp(join(tmpdir(), 'packages-'));
    await mkdir(join(root, 'storage'));
    await mkdir(join(root, 'source'));
    engine = new Engine(root);
  }, 300_000);

  afterAll(async () => {
    await engine.close();
    await removeTree(root);
  });

  async function isValid(folder: string, descriptor: string): Promise<boolean> {
    try {
      await run(join(programs, 'frictionless'), ['validate', descriptor], { cwd: folder });
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code === 1) return false;
      throw error;
    }
  }

  const descriptors = ['datapackage.json', 'datapackage.yaml'];
  const cases = Object.keys(resources).flatMap((name) => descriptors.map((descriptor) => [name, descriptor] as const));

  it.each(cases)('should be imported only if it is valid: %s in %s', async (name, descriptor) => {
    const id = `${name}-${descriptor.slice(-4)}`;
    const folder = join(root, 'source/SUB-1', id);
    // JSON is YAML too, and this form of YAML is the one whose quotes need no rules.
    const text = JSON.stringify({ name: 'x', resources: [{ name: 'a', ...resources[name] }] });
    await layFiles(folder, { 'a.csv': table, [descriptor]: text });
    expect(await engine.isImported(id)).toBe(await isValid(folder, descriptor));
  });
});
