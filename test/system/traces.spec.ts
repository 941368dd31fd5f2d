import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onEachQueue } from '../../apps/provisioner/test/support/queues.ts';
import { globalKey, TestSystem } from '../../apps/provisioner/test/support/system.ts';
import { until } from '../support/until.ts';
import { startScimServer } from '../../scripts/scim-server.ts';
import { loadedBy, noteLoaded } from '../support/loaded.ts';
import { buildServices, migrate, ServiceProcess } from '../support/service-process.ts';
import { SpanReceiver } from '../support/span-receiver.ts';
import { createTestDatabase } from '../support/test-database.ts';

const slowMs = 180_000;
const provisionerCli = fileURLToPath(new URL('../../apps/provisioner/dist/cli.js', import.meta.url));
const gatewaySecret = 'the secret of the gateway';
const personalName = 'scan-of-jane-roe.dcm';

const newId = (bytes: number): string => randomBytes(bytes).toString('hex');

beforeAll(() => buildServices(), slowMs);

onEachQueue('traces of an import with its queue', (queue) => {
  let receiver: SpanReceiver;
  let system: TestSystem;
  let traced: Record<string, string>;
  let api: ServiceProcess;
  let worker: ServiceProcess;

  beforeAll(async () => {
    receiver = await SpanReceiver.start();
    system = await TestSystem.create({ ...queue.settings, LOG_LEVEL: 'info' });
    await system.deliver('SUB-1', {
      'DS-1/a': '1',
      'DS-1/b': '2',
      'DS-2/md5sums.txt': `${'0'.repeat(32)}  ${personalName}\n`,
      [`DS-2/${personalName}`]: '3',
    });
    const { HOST, PORT, ...environment } = system.environment;
    expect([HOST, PORT]).toEqual(['127.0.0.1', '0']);
    traced = {
      ...{ ...environment, GATEWAY_SECRET: gatewaySecret },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=rdc' },
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    [api, worker] = await Promise.all([
      ServiceProcess.start('provisioner/dist/main.js', traced),
      ServiceProcess.start('provisioner/dist/worker.js', { ...traced, OTEL_SERVICE_NAME: 'copying' }),
    ]);
    system.url = api.url;
  }, slowMs);

  afterAll(async () => {
    await Promise.all([api.end(), worker.end()]);
    receiver.stop();
    await system.stop();
  }, slowMs);

  /** Requests an import with a `traceparent`. @returns the trace that the header names */
  async function ask(dataset_id: string, headers: Record<string, string>): Promise<string> {
    const traceId = newId(16);
    const path = `/datasets/srcsys/import?wait=30&API_KEY=${globalKey}`;
    const traceparent = `00-${traceId}-${newId(8)}-01`;
    const answer = await system.post(path, { dataset_id }, { traceparent, ...headers });
    expect(answer.status).toBe(200);
    return traceId;
  }

  const logged = ({ output }: ServiceProcess): Record<string, unknown>[] =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  const isWhole = (traceId: string, last: string): Promise<void> =>
    until(() => receiver.spans.some((span) => span.traceId === traceId && span.name === last));

  it('should continue a trace of the gateway from the request to the last phase of the import', async () => {
    const traceId = await ask('DS-1', { 'X-Gateway-Secret': gatewaySecret });
    await isWhole(traceId, 'POST /datasets/srcsys/import');
    await isWhole(traceId, 'process imports');
    expect(receiver.treeOf(traceId)).toEqual([
      'provisioner: POST /datasets/srcsys/import',
      '  provisioner: add imports.import',
      '    copying: process imports',
      '      copying: checking',
      '      copying: copying',
      '      copying: planning',
      '      copying: publishing',
    ]);
    const [request] = receiver.spans.filter((span) => span.traceId === traceId && span.kind === 'server');
    expect(request?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/datasets/srcsys/import',
      'http.response.status_code': 200,
    });
    const [copying] = receiver.spans.filter((span) => span.traceId === traceId && span.name === 'copying');
    expect(copying?.attributes).toEqual({ 'import.files': 2, 'import.bytes': 2 });
    expect(logged(api)).toContainEqual(
      expect.objectContaining({ trace_id: traceId, msg: 'answered', request_id: expect.any(String) as string }),
    );
  });

  it('should start a new trace for other callers, contain the failure of an import, and appear in its log lines', async () => {
    const claimed = await ask('DS-2', {});
    const failed = (): Record<string, unknown> | undefined =>
      logged(worker).find(({ msg }) => String(msg).includes('checksum.mismatch'));
    await until(() => failed() !== undefined);
    const traceId = String(failed()?.['trace_id']);
    await isWhole(traceId, 'process imports');
    expect(receiver.treeOf(claimed)).toEqual([]);
    const [job] = receiver.spans.filter((span) => span.traceId === traceId && span.name === 'process imports');
    expect(job?.attributes).toMatchObject({ 'error.type': 'checksum.mismatch' });
    await isWhole(traceId, 'POST /datasets/srcsys/import');
    expect(receiver.treeOf(traceId)[0]).toBe('provisioner: POST /datasets/srcsys/import');
  });

  it('should be started by a command and continued by the worker', async () => {
    await system.deliver('SUB-2', { 'DS-3/a': '1' });
    await promisify(execFile)(process.execPath, [provisionerCli, 'import', 'DS-3'], { env: traced });
    const [command] = receiver.spans.filter(({ name }) => name === 'provisioner import');
    expect(command).toMatchObject({ parentId: '', attributes: { 'process.exit.code': 0 } });
    const traceId = String(command?.traceId);
    await isWhole(traceId, 'process imports');
    expect(receiver.treeOf(traceId).slice(0, 3)).toEqual([
      'provisioner-cli: provisioner import',
      '  provisioner-cli: add imports.import',
      '    copying: process imports',
    ]);
  });

  it('should hold no key and no name of a file, and begin with a request, a command or a job', async () => {
    await system.deliver('SUB-3', { [`DS-4/${personalName}`]: '4' });
    const traceId = await ask('DS-4', { 'X-Gateway-Secret': gatewaySecret });
    await isWhole(traceId, 'process imports');
    const secrets = [
      globalKey,
      gatewaySecret,
      personalName,
      'API_KEY',
      new URL(system.environment['QUEUE_URL'] ?? '').host,
    ];
    expect(secrets.filter((each) => receiver.received.includes(each))).toEqual([]);
    const roots = receiver.spans
      .filter(({ parentId }) => parentId === '')
      .map(({ kind, name }) => (kind === 'internal' ? name : kind));
    expect(roots.filter((root) => !['server', 'consumer', 'provisioner import'].includes(root))).toEqual([]);
    expect(receiver.spans.filter(({ name }) => /health|metrics/.test(name))).toEqual([]);
    expect(receiver.headers['x-tenant']).toBe('rdc');
  });

  it('should be sent to the last span when a process ends', async () => {
    const traceId = newId(16);
    const headers = { 'X-Gateway-Secret': gatewaySecret, traceparent: `00-${traceId}-${newId(8)}-01` };
    const ending = await ServiceProcess.start('provisioner/dist/main.js', traced);
    await system.call('GET', '/imports/schedule', undefined, headers, ending.url);
    expect(await ending.end()).toBe(0);
    expect(receiver.treeOf(traceId)).toEqual(['provisioner: GET /imports/schedule']);
  });
});

describe('traces of the catalog', () => {
  it(
    'should show statements without their text, and calls of others without their path',
    async () => {
      const [receiver, database, scim] = await Promise.all([
        SpanReceiver.start(),
        createTestDatabase(),
        startScimServer('the-token-of-scim', []),
      ]);
      const settings = {
        ...{ DATABASE_URL: database.url, GLOBAL_API_KEY: globalKey, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
        ...{ IDP_PROVIDER: 'scim', SCIM_URL: `${scim.origin}/scim/v2`, SCIM_TOKEN: 'the-token-of-scim' },
        ...{ DATABASE_POOL_SIZE: '2', NODE_OPTIONS: noteLoaded },
      };
      migrate({ ...settings, NODE_OPTIONS: '' });
      const catalog = await ServiceProcess.start('catalog-api/dist/main.js', settings);
      const headers = { 'X-API-Key': globalKey };
      const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
        await (await fetch(`${catalog.url}${path}`, { headers, ...init })).text();
      };
      const body = JSON.stringify({ external_id: 'P-1', name: 'a secret partner', acronym: '' });
      await ask('/api/partners', { method: 'POST', body });
      // More requests than connections: a request that waits for a connection keeps its own trace.
      await Promise.all(Array.from({ length: 8 }, (_, turn) => ask(`/api/partners?_turn=${String(turn)}`)));
      await ask('/api/idp/force', { method: 'POST' });
      expect(await catalog.end()).toBe(0);
      receiver.stop();
      await Promise.all([database.drop(), scim.stop()]);

      const traces = receiver.spans.filter(({ kind }) => kind === 'server');
      const trees = traces.map(({ traceId }) => receiver.treeOf(traceId));
      const reads = trees.filter(([root]) => root === 'catalog-api: GET /api/partners');
      expect(reads.length).toBe(8);
      for (const tree of reads) expect(tree).toEqual(reads[0]);
      expect(reads[0]).toContain('  catalog-api: COPY');
      expect(trees.find(([root]) => root === 'catalog-api: POST /api/partners')).toContain('  catalog-api: INSERT');
      const synced = trees.find(([root]) => root === 'catalog-api: POST /api/idp/force');
      expect(synced).toContain('  catalog-api: GET');
      const calls = receiver.spans.filter(({ name }) => name === 'GET').map(({ attributes }) => attributes);
      expect(calls[0]).toEqual({
        ...{ 'http.request.method': 'GET', 'server.address': new URL(scim.origin).host },
        'http.response.status_code': 200,
      });
      const secrets = [globalKey, 'secret partner', 'nobody-', 'the-token-of-scim', 'scim/v2', '/*'];
      expect(secrets.filter((each) => receiver.received.includes(each))).toEqual([]);
      expect(loadedBy(catalog.output)).toContain('@opentelemetry');
    },
    slowMs,
  );
});
