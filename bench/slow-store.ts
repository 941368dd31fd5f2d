import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../scripts/free-port.ts';
import { ended } from './child-server.ts';

const run = promisify(execFile);

/** The unit of the times in `/proc/<pid>/stat`, in hertz. */
const clockTicks = 100;

/** A store behind toxiproxy, which delays each response. */
export interface SlowStore {
  readonly endpoint: string;
  /** Stops the proxy. @returns its share of all processors since its start */
  stop(): Promise<number>;
}

/** Starts toxiproxy in front of a store. Builds toxiproxy on first use, which requires Go and its module proxy. */
export async function slowStore(upstream: string, latencyMs: number): Promise<SlowStore> {
  const build = '. scripts/go-tools.sh && go_tool toxiproxy github.com/Shopify/toxiproxy/v2/cmd/server v2.12.0';
  const root = new URL('..', import.meta.url).pathname;
  const program = (await run('bash', ['-c', `${build} && echo "$tool"`], { cwd: root })).stdout.trim();
  const [control, port] = [await freePort(), await freePort()];
  const proxy = spawn(program, ['-host', '127.0.0.1', '-port', String(control)], { stdio: 'ignore' });
  const listen = `127.0.0.1:${String(port)}`;
  const create = (path: string, body: object): Promise<boolean> =>
    fetch(`http://127.0.0.1:${String(control)}${path}`, { method: 'POST', body: JSON.stringify(body) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const betweenTriesMs = 50;
  while (!(await create('/proxies', { name: 'store', listen, upstream: new URL(upstream).host }))) {
    if (proxy.exitCode !== null) throw new Error('toxiproxy ended before it was ready.');
    await pause(betweenTriesMs);
  }
  await create('/proxies/store/toxics', { type: 'latency', attributes: { latency: latencyMs } });
  const begun = performance.now();
  return {
    endpoint: `http://${listen}`,
    stop: async () => {
      const used = await processorSeconds(proxy.pid ?? 0);
      await ended(proxy);
      return used / ((performance.now() - begun) / 1000) / availableParallelism();
    },
  };
}

async function processorSeconds(pid: number): Promise<number> {
  const [, fields = ''] = (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) / clockTicks;
}
