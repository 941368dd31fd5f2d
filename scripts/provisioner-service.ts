import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTestDatabase } from '../test/support/test-database.ts';
import { whileServiceRuns } from './built-service.ts';
import { freePort } from './free-port.ts';
import { laySampleSource } from './sample-source.ts';

/**
 * Runs some work with the built provisioner and a worker over the sample deliveries, with a storage and a queue of their own,
 * where the tests' Postgres has been started.
 */
export async function withProvisionerService(
  settings: Readonly<Record<string, string>>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'provisioner-service-'));
  const [source, storage] = [join(folder, 'source'), join(folder, 'storage')];
  try {
    await mkdir(storage);
    await laySampleSource(source);
    const places = { SOURCE_URL: pathToFileURL(source).href, STORAGE_URL: pathToFileURL(storage).href };
    const queue = { QUEUE_URL: (await createTestDatabase()).url };
    const own = { ...places, ...queue, HOST: '127.0.0.1', LOG_LEVEL: 'error', ...settings };
    const [port, workerPort] = [String(await freePort()), String(await freePort())];
    await whileServiceRuns('provisioner/dist/main.js', { ...own, PORT: port }, () =>
      whileServiceRuns('provisioner/dist/worker.js', { ...own, PORT: workerPort }, () =>
        work(`http://127.0.0.1:${port}`),
      ),
    );
  } finally {
    // Imported folders are read-only.
    execFileSync('chmod', ['-R', 'u+w', folder]);
    await rm(folder, { recursive: true });
  }
}
