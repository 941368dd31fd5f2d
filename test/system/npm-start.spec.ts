import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components } from '../../apps/console/src/api/generated/provisioner.ts';
import { until } from '../support/until.ts';
import { removeTree } from '../../apps/provisioner/src/storage/posix/remove-tree.ts';
import { freePort } from '../../scripts/free-port.ts';
import { keepLog, noteSecret, testSettings } from '../support/test-logs.ts';

type Dataset = Pick<components['schemas']['DatasetResponse'], 'id' | 'state'>;

/** Longer than a start with a build on a busy machine. */
const startTimeoutMs = 180_000;

describe('npm start', () => {
  let folder: string;
  let port: number;
  let running: ChildProcess | undefined;
  /** The datasets of the source after the first start, and those that were not imported. */
  let datasets: Dataset[];
  let missing: Dataset[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-catalog-system-'));
    port = await freePort();
    await start();
    datasets = await items('/datasets/srcsys');
    missing = await items('/datasets/srcsys/diff');
  }, startTimeoutMs);

  afterAll(async () => {
    await stop();
    await keepLogs();
    await removeTree(folder);
  }, startTimeoutMs);

  /** Starts the whole system and waits for its welcome. @throws Error with its output if it ends first */
  async function start(): Promise<void> {
    const child = spawn(process.execPath, ['scripts/start.ts'], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ...testSettings({ PORT: String(port), DATA_DIR: folder }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running = child;
    let printed = '';
    await new Promise<void>((resolve, reject) => {
      const read = (text: Buffer): void => {
        printed += text.toString();
        if (printed.includes('Ready: ')) resolve();
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => {
        reject(new Error(`npm start ended with ${String(code)}:\n${printed}`));
      });
    });
  }

  async function stop(): Promise<number | null> {
    const child = running;
    running = undefined;
    if (!child || child.exitCode !== null) return null;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGINT');
    return (await exited)[0];
  }

  /** Keeps the logs below `.data`, and records the generated secrets and the names of the sample's people. */
  async function keepLogs(): Promise<void> {
    const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
    for (const name of ['catalog-api', 'provisioner', 'worker']) keepLog(name, await read(`log/${name}.log`));
    const secrets = `${await read('secrets.json')}${await read('keys.json')}`;
    for (const [, secret = ''] of secrets.matchAll(/: "(.+)"/g)) noteSecret(secret);
    const sample = await readFile('sample/catalog.ndjson', 'utf8');
    for (const [, name = ''] of sample.matchAll(/"last_name":"(?!Account)(\w{6,})"/g)) noteSecret(name);
  }

  async function keys(): Promise<Record<'global' | 'user' | 'endpoint', string>> {
    return JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as Record<
      'global' | 'user' | 'endpoint',
      string
    >;
  }

  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
      method,
      headers: { 'X-API-Key': (await keys()).global },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  const items = async (path: string): Promise<Dataset[]> =>
    ((await call('GET', path)).body as { items: Dataset[] }).items;
  const imported = async (): Promise<string[]> =>
    (await items('/datasets/srcsys')).filter(({ state }) => state === 'imported').map(({ id }) => id);

  it.each([
    ['GET', '/api/cohorts', 200],
    ['GET', '/api/partners', 200],
    ['GET', '/api/projects', 200],
    ['GET', '/api/datasets', 200],
    ['GET', '/api/contracts', 200],
    ['GET', '/api/users', 200],
    ['GET', '/api/termsearch/disease?search=cancer&page=1', 200],
    ['GET', '/api/termsearch/phenotype?search=seizure&page=1', 200],
    ['GET', '/api/termsearch/gene?search=BRCA&page=1', 200],
    ['GET', '/api/termsearch/study?search=cohort&page=1', 200],
    ['GET', '/api/permissions/nobody', 404],
    ['POST', '/api/accessreq', 403],
    ['GET', '/submissions/srcsys', 200],
    ['GET', '/submissions/srcsys/diff', 200],
    ['GET', '/datasets/srcsys', 200],
    ['GET', '/datasets/srcsys/diff', 200],
  ])('should answer %s %s with %i on the one origin', async (method, path, status) => {
    expect((await call(method, path)).status).toBe(status);
  });

  it("should find terms for each of the sample's searches", async () => {
    for (const query of [
      'disease?search=cancer',
      'phenotype?search=seizure',
      'gene?search=BRCA',
      'study?search=cohort',
    ]) {
      const { body } = await call('GET', `/api/termsearch/${query}&page=1`);
      expect((body as { results: unknown[] }).results.length).toBeGreaterThan(0);
    }
  });

  it('should import exactly one dataset at the first start', () => {
    expect(datasets.filter(({ state }) => state === 'imported')).toMatchObject([{ id: 'RDC_11' }]);
    expect(missing).toHaveLength(datasets.length - 1);
  });

  it('should show the storage location of the imported dataset in the catalog', async () => {
    await until(async () => {
      const { body } = await call('GET', '/api/datasets/RDC_11');
      return JSON.stringify((body as { storages?: unknown }).storages ?? []).includes('data/raw/RDC_11/');
    }, 20_000);
  });

  it('should import a dataset and a submission on request', async () => {
    const dataset = await call('POST', '/datasets/srcsys/import?wait=60', { dataset_id: 'RDC_12' });
    expect(dataset).toMatchObject({ status: 200, body: { state: 'finished', subject: 'RDC_12' } });
    const submission = await call('POST', '/submissions/srcsys/import?wait=60', { reference: 'SUB-2026-001' });
    expect(submission).toMatchObject({ status: 200, body: { state: 'finished', subject: 'SUB-2026-001' } });
  });

  it('should keep its keys in a file that only its owner can read', async () => {
    expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600);
    expect(Object.keys(await keys()).sort()).toEqual(['admin', 'endpoint', 'global', 'user']);
  });

  it('should serve the console, and sign in the administrator of the sample', async () => {
    const console = await fetch(`http://127.0.0.1:${String(port)}/console/datasets`);
    expect([console.status, await console.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
    const { admin } = (await keys()) as unknown as { admin: { email: string; password: string } };
    const login = await call('POST', '/api/session', { login: admin.email, password: admin.password });
    expect(login).toMatchObject({ status: 200, body: { user: { email: admin.email }, roles: ['admin'] } });
  });

  it('should not serve internal endpoints at the origin', async () => {
    for (const path of ['/health/ready', '/metrics']) expect((await call('GET', path)).status).toBe(404);
  });

  it(
    'should end with exit code 0 when interrupted, and keep its data at the next start',
    async () => {
      const before = [await keys(), await imported()];
      expect(await stop()).toBe(0);
      await start();
      expect([await keys(), await imported()]).toEqual(before);
    },
    startTimeoutMs,
  );
});
