import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../scripts/free-port.ts';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import type { Stops } from './stop-meter.ts';
import { createTestDatabase } from '../test/support/test-database.ts';

const megabyte = 1_000_000;

const key = 'the-global-key-of-the-benchmarks';

/** A delivery that should not delay other callers. */
export interface HostileDelivery {
  readonly name: string;
  /** Writes the delivery below the source's folder. */
  lay(source: string): void;
}

/** Writes a file that consists of a beginning, a part repeated up to a size, and an end. */
function repeat(path: string, begin: string, part: string, bytes: number, end: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  const many = part.repeat(Math.ceil(megabyte / part.length));
  writeSync(file, begin);
  for (let written = 0; written < bytes; written += many.length) writeSync(file, many);
  writeSync(file, end);
  closeSync(file);
}

function descriptor(source: string): string {
  return join(source, 'SUB-1/DS-1/datapackage.json');
}

const digest = 'ab'.repeat(32);

/** Deliveries that stop or end a service which parses them in its main thread, and larger ones. */
export const hostileDeliveries: readonly HostileDelivery[] = [
  {
    name: '12 MB of nested lists',
    lay: (source) => {
      repeat(descriptor(source), '{"resources":[', '[', 12 * megabyte, '');
    },
  },
  {
    name: '150,000 resources',
    lay: (source) => {
      const resources = Array.from({ length: 150_000 }, (_, at) => {
        return { path: `data/part/file-${String(at)}.txt`, bytes: at, hash: `sha256:${digest}` };
      });
      mkdirSync(dirname(descriptor(source)), { recursive: true });
      writeFileSync(descriptor(source), JSON.stringify({ resources }));
    },
  },
  {
    name: '32 MB of empty lists',
    lay: (source) => {
      repeat(descriptor(source), '{"resources":[],"x":[', '[],', 32 * megabyte, '0]}');
    },
  },
  {
    name: 'a text of 60 MB',
    lay: (source) => {
      repeat(descriptor(source), '{"resources":[],"x":"', 'x', 60 * megabyte, '"}');
    },
  },
  {
    name: '10,000 small descriptors',
    lay: (source) => {
      for (let at = 0; at < 10_000; at += 1)
        repeat(join(source, `SUB-${String(at)}/DS-${String(at)}/datapackage.json`), '{"resources":[]', ' ', 0, '}');
    },
  },
  {
    name: 'a list with a line of 1 GB',
    lay: (source) => {
      repeat(join(source, 'SUB-1/DS-1/md5sums.txt'), '', 'x', 1_000 * megabyte, '');
    },
  },
  {
    name: 'a list of 2,000,000 lines',
    lay: (source) => {
      const path = join(source, 'SUB-1/DS-1/SHA256SUMS');
      mkdirSync(dirname(path), { recursive: true });
      const file = openSync(path, 'w');
      for (let from = 0; from < 2_000_000; from += 10_000)
        writeSync(
          file,
          Array.from({ length: 10_000 }, (_, at) => `${digest}  data/part/file-${String(from + at)}.txt\n`).join(''),
        );
      closeSync(file);
    },
  },
];

/** A built service with a small heap, whose stops are written to a report when it ends. */
class MeteredService {
  private readonly child: ChildProcess;
  private readonly port: number;
  private readonly report: string;

  private constructor(child: ChildProcess, port: number, report: string) {
    this.child = child;
    this.port = port;
    this.report = report;
  }

  /** Starts the service on `source` and `storage` below a folder, scanning each second. */
  static async start(root: string, queueUrl: string): Promise<MeteredService> {
    const port = await freePort();
    const report = join(root, 'stops.json');
    const main = new URL('../apps/provisioner/dist/main.js', import.meta.url).pathname;
    const meter = new URL('./stop-meter.ts', import.meta.url).href;
    const urlOf = (name: string): string => pathToFileURL(join(root, name)).href;
    const child = spawn(process.execPath, ['--max-old-space-size=512', '--import', meter, main], {
      env: {
        ...process.env,
        ...{ PORT: String(port), HOST: '127.0.0.1', GLOBAL_API_KEY: key, LOG_LEVEL: 'error', QUEUE_URL: queueUrl },
        ...{ SOURCE_URL: urlOf('source'), STORAGE_URL: urlOf('storage') },
        ...{ SOURCE_SCAN_INTERVAL: '1', SOURCE_SETTLE: '0', STOP_REPORT: report },
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return new MeteredService(child, port, report);
  }

  /** Starts the measurement. */
  begin(): void {
    this.child.kill('SIGUSR2');
  }

  /** Waits until a scan has ended after the given time. @throws Error if the process has ended */
  async scannedAfter(moment: string): Promise<string> {
    const betweenTriesMs = 200;
    for (;;) {
      const now = await this.scannedAt();
      if (now !== null && now > moment) return now;
      process.kill(this.child.pid ?? 0, 0);
      await pause(betweenTriesMs);
    }
  }

  async end(): Promise<Stops> {
    this.child.kill();
    await once(this.child, 'exit');
    return JSON.parse(readFileSync(this.report, 'utf8')) as Stops;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private async scannedAt(): Promise<string | null> {
    const url = `http://127.0.0.1:${String(this.port)}/datasets/srcsys?limit=1`;
    const answer = await fetch(url, { headers: { 'X-API-Key': key } }).catch(() => null);
    return answer?.ok ? ((await answer.json()) as { as_of: string | null }).as_of : null;
  }
}

/**
 * Measures the longest stops of the built service's event loop, inside its process, during two scans of a delivery. The
 * delivery is written after the first scan of the empty source.
 */
export async function stopsOf(delivery: HostileDelivery): Promise<Stops> {
  const root = mkdtempSync(join(tmpdir(), 'deliveries-bench-'));
  for (const name of ['source', 'storage']) mkdirSync(join(root, name));
  await startPostgres();
  const { url } = await createTestDatabase();
  const service = await MeteredService.start(root, url);
  try {
    await service.scannedAfter('');
    delivery.lay(join(root, 'source'));
    service.begin();
    // A scan that began before the delivery was whole may end afterwards.
    const first = await service.scannedAfter(new Date().toISOString());
    await service.scannedAfter(first);
    return await service.end();
  } finally {
    service.kill();
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
    rmSync(root, { recursive: true });
  }
}
