import { spawn } from 'node:child_process';
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

/** A delivery that should cost no other caller anything. */
export interface HostileDelivery {
  readonly name: string;
  /** Writes the delivery below the source's folder. */
  lay(source: string): void;
}

/** Writes a file of one begin, a part that repeats itself up to a size, and an end. */
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

/** Deliveries that stopped or ended a service that parsed them in its own thread, and larger ones. */
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

/**
 * Measures the longest stops of the built service's event loop, inside its process, from the moment when it is ready
 * until its second scan of a delivery ended, which was laid after the first scan.
 */
export async function stopsOf(delivery: HostileDelivery): Promise<Stops> {
  const root = mkdtempSync(join(tmpdir(), 'deliveries-bench-'));
  const [source, storage, report] = ['source', 'storage', 'stops.json'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(source);
  mkdirSync(storage);
  await startPostgres();
  const { url } = await createTestDatabase();
  const port = await freePort();
  const key = 'the-global-key-of-the-benchmarks';
  const main = new URL('../apps/provisioner/dist/main.js', import.meta.url).pathname;
  const meter = new URL('./stop-meter.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--max-old-space-size=512', '--import', meter, main], {
    env: {
      ...process.env,
      ...{ PORT: String(port), HOST: '127.0.0.1', GLOBAL_API_KEY: key, LOG_LEVEL: 'error', QUEUE_URL: url },
      ...{ SOURCE_URL: pathToFileURL(source).href, STORAGE_URL: pathToFileURL(storage).href },
      ...{ SOURCE_SCAN_INTERVAL: '1', SOURCE_SETTLE: '0', STOP_REPORT: report },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const scannedAt = async (): Promise<string | null> => {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/datasets/srcsys?limit=1`, {
      headers: { 'X-API-Key': key },
    }).catch(() => null);
    return answer?.ok ? ((await answer.json()) as { as_of: string | null }).as_of : null;
  };
  try {
    await changed(child.pid ?? 0, scannedAt, null);
    delivery.lay(source);
    const laidAt = new Date().toISOString();
    child.kill('SIGUSR2');
    // A scan that began before the delivery was whole may end afterwards.
    for (let scans = 0, last: string | null = laidAt; scans < 2; scans += 1)
      last = await changed(child.pid ?? 0, scannedAt, last);
    child.kill();
    await once(child, 'exit');
    return JSON.parse(readFileSync(report, 'utf8')) as Stops;
  } finally {
    child.kill('SIGKILL');
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
    rmSync(root, { recursive: true });
  }
}

/** Waits until a moment is later than another. @throws Error if the process is gone */
async function changed(pid: number, moment: () => Promise<string | null>, after: string | null): Promise<string> {
  const betweenTriesMs = 200;
  for (;;) {
    const now = await moment();
    if (now !== null && (after === null || now > after)) return now;
    process.kill(pid, 0);
    await pause(betweenTriesMs);
  }
}
