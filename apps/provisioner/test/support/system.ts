import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Import, ProvisionerBody } from '../../../../test/support/documented-body.ts';
import { createTestDatabase } from '../../../../test/support/test-database.ts';
import { testSettings } from '../../../../test/support/test-logs.ts';
import { until } from '../../../../test/support/until.ts';
import { setRate } from '../../src/copy/rate-limit.js';
import { RateLimit } from '../../src/copy/process-rate-limit.js';
import { startServer, startWorker } from '../../src/server.js';
import { layFiles, type Files } from './delivery.js';
import { removeTree } from '../../src/storage/posix/remove-tree.js';

export const globalKey = 'a global key that is long enough for tests';

/** The request to import a dataset with its submission. */
interface RequestedDataset {
  readonly dataset_id: string;
  readonly import_id: string;
  readonly error: { readonly code: string } | null;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** Returns the path of the next page of a list; null after the last page. */
export function nextPage(headers: Headers): string | null {
  const [, link] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (link === undefined) return null;
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

/** A separate system of one suite: a source folder, a storage folder, a queue, a server and workers. */
export class TestSystem {
  /** `http://127.0.0.1:<port>` of the server. */
  url = '';
  private server: NestFastifyApplication | null = null;
  private workers: NestFastifyApplication[] = [];

  private constructor(
    readonly root: string,
    readonly environment: Record<string, string>,
    private readonly dropQueue: () => Promise<void>,
  ) {}

  /** Creates the folders and, unless `QUEUE_URL` is given, a queue in Postgres. Starts no server and no worker. */
  static async create(settings: Record<string, string> = {}): Promise<TestSystem> {
    const root = await mkdtemp(join(tmpdir(), 'provisioner-test-'));
    await mkdir(join(root, 'source'));
    await mkdir(join(root, 'storage'));
    const database = settings['QUEUE_URL'] === undefined ? await createTestDatabase() : null;
    const environment = testSettings({
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      GLOBAL_API_KEY: globalKey,
      SOURCE_URL: pathToFileURL(join(root, 'source')).href,
      STORAGE_URL: pathToFileURL(join(root, 'storage')).href,
      QUEUE_URL: database?.url ?? '',
      SOURCE_SETTLE: '0',
      COPY_THREADS: '2',
      ...settings,
    });
    return new TestSystem(root, environment, async () => database?.drop());
  }

  get source(): string {
    return join(this.root, 'source');
  }

  get storage(): string {
    return join(this.root, 'storage');
  }

  /** Writes a submission to the source. */
  async deliver(reference: string, files: Files): Promise<void> {
    await layFiles(join(this.source, reference), files);
  }

  /** Replaces a submission in the source. */
  async redeliver(reference: string, files: Files): Promise<void> {
    await removeTree(join(this.source, reference));
    await this.deliver(reference, files);
  }

  async startServer(settings: Record<string, string> = {}): Promise<void> {
    this.server = await startServer({ ...this.environment, ...settings });
    this.url = await this.server.getUrl();
    await until(async () => (await this.get('/health/ready')).status === 200);
  }

  async startWorker(settings: Record<string, string> = {}): Promise<NestFastifyApplication> {
    const worker = await startWorker({ ...this.environment, ...settings });
    this.workers.push(worker);
    return worker;
  }

  /** Sets the rate of the workers in bytes per second, until the timetable changes the rate; 0 for no limit. */
  copyAt(bytesPerSecond: number): void {
    for (const worker of this.workers) setRate(worker.get(RateLimit, { strict: false }).shared, bytesPerSecond);
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.close()));
  }

  async stop(): Promise<void> {
    await this.stopWorkers();
    await this.server?.close();
    await this.dropQueue();
    await removeTree(this.root);
  }

  /** Requests the import of a dataset from another server of the same system. */
  askAt(url: string, id: string): Promise<Answer<ProvisionerBody<'POST', '/datasets/srcsys/import'>>> {
    return this.call('POST', '/datasets/srcsys/import', { dataset_id: id }, {}, url);
  }

  /** Requests the import of a submission with datasets. */
  async importSubmission(
    reference: string,
    datasets: 'all' | readonly string[],
  ): Promise<Answer<Import & { readonly datasets: readonly RequestedDataset[] }>> {
    return (await this.post('/submissions/srcsys/import', { reference, datasets })) as never;
  }

  get<Path extends string>(
    path: Path,
    headers: Record<string, string> = {},
  ): Promise<Answer<ProvisionerBody<'GET', Path>>> {
    return this.call('GET', path, undefined, headers);
  }

  post<Path extends string>(
    path: Path,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<ProvisionerBody<'POST', Path>>> {
    return this.call('POST', path, body, headers);
  }

  async call<Method extends string, Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
    headers: Record<string, string> = {},
    url = this.url,
  ): Promise<Answer<ProvisionerBody<Method, Path>>> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'X-API-Key': globalKey, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('application/json');
    const answered: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: answered as ProvisionerBody<Method, Path>,
    };
  }

  /** Waits for the end of an import and returns the import. */
  async ended(id: string, withinMs = 100_000): Promise<Import> {
    let answer = await this.get(`/imports/${id}`);
    await until(async () => {
      answer = await this.get(`/imports/${id}`);
      return ['finished', 'rejected', 'failed', 'cancelled'].includes(answer.body.state);
    }, withinMs);
    return answer.body;
  }
}
