import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

const readyTimeoutMs = 120_000;
const pollMs = 250;
const stopTimeoutMs = 5_000;

/** Capacity of the store in memory. */
const storeBytes = 3 * 1024 ** 3;

/** Options of a Ceph store. */
export interface CephOptions {
  /** Port of the gateway; by default a free port. */
  readonly port?: number;
  /** Address of the gateway; by default 127.0.0.1. */
  readonly host?: string;
  /** The user's keys; by default random keys. */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
}

/** The keys with which a user signs calls. */
export interface CephKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A Ceph that runs on this machine and answers as an S3-compatible store. */
export interface RunningCeph extends CephKeys {
  /** `http://127.0.0.1:<port>`, without a last slash. */
  readonly endpoint: string;
  /** Creates another user, who has no access to the buckets of others. */
  addUser(): Promise<CephKeys>;
  /** Frees the memory of removed objects, which the gateway would free hours later. */
  reclaim(): Promise<void>;
  /** Stops the store, which loses its content. */
  stop(): Promise<void>;
}

/**
 * Starts a real Ceph of one node on loopback: a monitor, a manager, one store in memory, and the object gateway. Requires
 * the Debian packages `ceph-mon`, `ceph-mgr`, `ceph-osd`, `ceph-common` and `radosgw`; ready in some 15 seconds.
 */
export async function startCeph(options: CephOptions = {}): Promise<RunningCeph> {
  const node = new CephNode(await mkdtemp(join(tmpdir(), 'ceph-')));
  try {
    return await node.start({
      ...{ port: options.port ?? (await freePort()), host: '127.0.0.1' },
      ...randomKeys(),
      ...options,
    });
  } catch (cause) {
    await node.stop();
    throw new Error(`Ceph did not start: ${(cause as Error).message}`, { cause });
  }
}

class CephNode {
  private readonly folder: string;
  private readonly config: string;
  private readonly keyring: string;
  private readonly daemons: ChildProcess[] = [];

  constructor(folder: string) {
    this.folder = folder;
    this.config = join(folder, 'ceph.conf');
    this.keyring = join(folder, 'keyring');
  }

  async start({ port, host, ...keys }: Required<CephOptions>): Promise<RunningCeph> {
    const [monitor, older] = [await freePort(), await freePort()];
    const cluster = randomUUID();
    const addresses = `[v2:127.0.0.1:${String(monitor)},v1:127.0.0.1:${String(older)}]`;
    for (const name of ['mon', 'mgr', 'osd', 'rgw', 'run', 'log']) await mkdir(join(this.folder, name));
    await writeFile(this.config, configuration(this.folder, cluster, addresses, `${host}:${String(port)}`));
    await this.makeKeys();
    await this.startMonitor(cluster, addresses);
    this.spawn('ceph-mgr', '-i', 'x');
    await this.startStore();
    this.spawn('radosgw', '-n', 'client.rgw');
    const endpoint = `http://127.0.0.1:${String(port)}`;
    await this.until('the gateway answers', async () => (await fetch(endpoint)).ok);
    const shared = { reclaim: () => this.reclaim(), stop: () => this.stop() };
    await this.makeUser('test', keys);
    return { endpoint, ...keys, ...shared, addUser: () => this.makeUser(randomUUID(), randomKeys()) };
  }

  /** Stops the daemons, the latest first. The gateway is killed, because it would wait for the stopped store. */
  async stop(): Promise<void> {
    for (const daemon of this.daemons.splice(0).reverse()) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
      const exit = once(daemon, 'exit');
      daemon.kill('SIGTERM');
      const timer = setTimeout(() => daemon.kill('SIGKILL'), stopTimeoutMs);
      await exit;
      clearTimeout(timer);
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  private async makeKeys(): Promise<void> {
    const all = (...services: string[]): string[] => services.flatMap((service) => ['--cap', service, 'allow *']);
    const owners: [string, string[]][] = [
      ['mon.', all('mon')],
      ['client.admin', all('mon', 'osd', 'mgr')],
      ['mgr.x', all('mon', 'osd', 'mgr')],
      ['osd.0', all('mon', 'osd', 'mgr')],
      ['client.rgw', all('mon', 'osd', 'mgr')],
    ];
    await run('ceph-authtool', ['--create-keyring', this.keyring]);
    for (const [name, capabilities] of owners) {
      await run('ceph-authtool', [this.keyring, '--gen-key', '-n', name, ...capabilities]);
    }
  }

  private async startMonitor(cluster: string, addresses: string): Promise<void> {
    const map = join(this.folder, 'monmap');
    await run('monmaptool', ['--create', '--fsid', cluster, '--addv', 'a', addresses, map]);
    await run('ceph-mon', ['-c', this.config, '-i', 'a', '--mkfs', '--monmap', map, '--keyring', this.keyring]);
    this.spawn('ceph-mon', '-i', 'a');
  }

  /** Creates the store under the identifier that the cluster expects. */
  private async startStore(): Promise<void> {
    const id = randomUUID();
    await this.ceph('osd', 'new', id, '0');
    await run('ceph-osd', ['-c', this.config, '-i', '0', '--mkfs', '--osd-uuid', id]);
    this.spawn('ceph-osd', '-i', '0');
    await this.until('the store is up', async () => (await this.ceph('osd', 'stat')).includes('1 up'));
  }

  private async makeUser(name: string, keys: CephKeys): Promise<CephKeys> {
    const given = [`--access-key=${keys.accessKeyId}`, `--secret-key=${keys.secretAccessKey}`];
    const named = [`--uid=${name}`, `--display-name=${name}`];
    await run('radosgw-admin', ['-c', this.config, 'user', 'create', ...named, ...given]);
    return keys;
  }

  private async reclaim(): Promise<void> {
    await run('radosgw-admin', ['-c', this.config, 'gc', 'process', '--include-all']);
  }

  private async ceph(...args: string[]): Promise<string> {
    return (await run('ceph', ['-c', this.config, '--connect-timeout', '60', ...args])).stdout;
  }

  private spawn(command: string, ...args: string[]): void {
    this.daemons.push(spawn(command, ['-c', this.config, '-f', ...args], { stdio: 'ignore' }));
  }

  private async until(what: string, condition: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + readyTimeoutMs;
    while (!(await condition().catch(() => false))) {
      if (this.daemons.some(({ exitCode }) => exitCode !== null))
        throw new Error(`A daemon ended before this state was reached: ${what}.`);
      if (Date.now() > deadline)
        throw new Error(`This state was not reached within ${String(readyTimeoutMs / 1000)} s: ${what}.`);
      await pause(pollMs);
    }
  }
}

function randomKeys(): CephKeys {
  return { accessKeyId: randomBytes(10).toString('hex'), secretAccessKey: randomBytes(20).toString('hex') };
}

function configuration(folder: string, cluster: string, addresses: string, gateway: string): string {
  return `[global]
fsid = ${cluster}
keyring = ${join(folder, 'keyring')}
mon host = ${addresses}
mon initial members = a
public network = 127.0.0.0/8
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 500
mon data avail warn = 2
mon data avail crit = 1
run dir = ${join(folder, 'run')}
admin socket = ${join(folder, 'run', '$name.$pid.asok')}
log file = ${join(folder, 'log', '$name.log')}
pid file = ${join(folder, 'run', '$name.pid')}
[mon.a]
mon data = ${join(folder, 'mon')}
[mgr.x]
mgr data = ${join(folder, 'mgr')}
[osd.0]
osd data = ${join(folder, 'osd')}
osd objectstore = memstore
memstore device bytes = ${String(storeBytes)}
[client.rgw]
rgw data = ${join(folder, 'rgw')}
rgw frontends = beast endpoint=${gateway}
`;
}

/** Runs a store whose address and keys the environment may name, as the container of docker-compose.yml does. */
async function runUntilInterrupted(port: number): Promise<void> {
  const { CEPH_HOST: host, CEPH_ACCESS_KEY_ID: accessKeyId, CEPH_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
  const ceph = await startCeph({
    port,
    ...(host && { host }),
    ...(accessKeyId && { accessKeyId }),
    ...(secretAccessKey && { secretAccessKey }),
  });
  process.stdout.write(
    `${ceph.endpoint} with access key ${ceph.accessKeyId}, secret ${ceph.secretAccessKey}; Ctrl-C ends it.\n`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void ceph.stop());
}

if (import.meta.main) void runUntilInterrupted(Number(process.argv[2] ?? 7480));
