import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pythonPackage } from '../../../test/support/python-package.ts';
import { keys, startSmallCatalog, type SmallCatalog } from './small-catalog.js';

const run = promisify(execFile);
const recipes = fileURLToPath(new URL('../../../docs/recipes', import.meta.url));

/** The copy that `harvest.py` stores. */
interface Copy {
  readonly cursor: string;
  readonly records: Readonly<Record<string, { readonly description?: string }>>;
}

describe('the recipes in docs/recipes', () => {
  let python: string;
  let catalog: SmallCatalog;
  let folder: string;

  beforeAll(async () => {
    python = join(await pythonPackage('requests', '2.32.5'), 'python');
  }, 300_000);

  beforeEach(async () => {
    catalog = await startSmallCatalog();
    folder = await mkdtemp(join(tmpdir(), 'recipes-'));
  });

  afterEach(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs a recipe in an empty folder. @returns the lines that it prints */
  async function follow(program: string, recipe: string, key: string = keys.global): Promise<string[]> {
    const env = { ...process.env, ORIGIN: catalog.url, KEY: key };
    const { stdout } = await run(program, [join(recipes, recipe)], { cwd: folder, env });
    return stdout.trimEnd().split('\n');
  }

  const copy = async (): Promise<Copy> => JSON.parse(await readFile(join(folder, 'catalog.json'), 'utf8')) as Copy;

  it('should keep a copy by the change feed (harvest.py)', async () => {
    expect(await follow(python, 'harvest.py')).toEqual(['10 changes, 10 records']);
    const body = JSON.stringify({ description: 'other' });
    await catalog.fetch('/api/datasets/RDC_11', { method: 'PATCH', key: keys.global, body });
    await catalog.fetch('/api/datasets/RDC_13', { method: 'DELETE', key: keys.global });
    expect(await follow(python, 'harvest.py')).toEqual(['2 changes, 9 records']);
    const { records } = await copy();
    expect(records['datasets/1']).toMatchObject({ description: 'other' });
    expect(Object.keys(records)).not.toContain('datasets/3');
    expect(await follow(python, 'harvest.py')).toEqual(['0 changes, 9 records']);
  });

  it('should begin again when the cursor belongs to another key (harvest.py)', async () => {
    await follow(python, 'harvest.py');
    await follow(python, 'harvest.py', keys.second);
    expect(Object.keys((await copy()).records).filter((name) => name.startsWith('datasets'))).toEqual(['datasets/1']);
  });

  it('should read a list in pages (pages.py)', async () => {
    const lines = await follow(python, 'pages.py');
    expect(lines.map((line) => line.split(' ')[1])).toEqual(['RDC_11', 'RDC_12', 'RDC_13']);
  });

  it('should transfer a list only if it has changed (harvest.sh)', async () => {
    expect(await follow('sh', 'harvest.sh')).toEqual(['datasets.json is new']);
    expect(await follow('sh', 'harvest.sh')).toEqual(['no dataset has changed']);
    const { items } = JSON.parse(await readFile(join(folder, 'datasets.json'), 'utf8')) as { items: unknown[] };
    expect(items).toHaveLength(3);
    await catalog.fetch('/api/datasets/RDC_13', { method: 'DELETE', key: keys.global });
    expect(await follow('sh', 'harvest.sh')).toEqual(['datasets.json is new']);
  });

  it('should be valid Python (import_dag.py)', async () => {
    await run(python, ['-m', 'py_compile', join(recipes, 'import_dag.py')], {
      env: { ...process.env, PYTHONPYCACHEPREFIX: folder },
    });
  });
});
