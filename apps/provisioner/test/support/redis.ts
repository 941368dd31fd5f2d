import { Redis } from 'ioredis';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../scripts/free-port.ts';
import { until } from '../../../../test/support/until.ts';

/** Whether `redis-server` is installed. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A separate Redis server of one suite, on a free loopback port. */
export class TestRedis {
  private constructor(
    readonly url: string,
    private readonly port: number,
    private readonly folder: string,
    private child: ChildProcess,
  ) {}

  static async start(): Promise<TestRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'provisioner-redis-'));
    const port = await freePort();
    const redis = new TestRedis(`redis://127.0.0.1:${String(port)}`, port, folder, launch(port, folder));
    await redis.answers();
    return redis;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Suspends the server, so that it does not answer until `goOn`. */
  halt(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Removes all data. */
  async flush(): Promise<void> {
    const client = new Redis(this.url);
    await client.flushall();
    client.disconnect();
  }

  /** Starts the server again on the same port. @param emptied whether the previous data is removed */
  async restart(emptied: boolean): Promise<void> {
    if (emptied) await rm(this.folder, { recursive: true });
    this.child = launch(this.port, this.folder);
    await this.answers();
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Waits until the server answers. @throws Error if the server has ended, because another server could answer */
  private answers(): Promise<void> {
    return until(
      () =>
        new Promise((resolve, reject) => {
          if (this.child.exitCode !== null) reject(new Error(`redis-server ended with ${String(this.child.exitCode)}`));
          const socket = connect(this.port, '127.0.0.1', () => socket.write('PING\r\n'));
          socket.once('data', (bytes) => {
            socket.destroy();
            resolve(bytes.toString().startsWith('+PONG'));
          });
          socket.once('error', () => {
            resolve(false);
          });
        }),
    );
  }
}

function launch(port: number, folder: string): ChildProcess {
  const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'yes'];
  return spawn('sh', ['-c', 'mkdir -p "$0" && cd "$0" && exec redis-server "$@"', folder, ...options], {
    stdio: 'ignore',
  });
}
