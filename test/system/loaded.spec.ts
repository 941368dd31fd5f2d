import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TestSystem } from '../../apps/provisioner/test/support/system.ts';
import { loadedBy, noteLoaded } from '../support/loaded.ts';
import { buildServices, migrate, ServiceProcess } from '../support/service-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const slowMs = 180_000;
const provisionerCli = fileURLToPath(new URL('../../apps/provisioner/dist/cli.js', import.meta.url));

describe('processes between folders, without OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let system: TestSystem;
  let catalog: TestDatabase;
  let settings: Record<string, string>;

  beforeAll(async () => {
    await buildServices();
    system = await TestSystem.create();
    catalog = await createTestDatabase();
    const { HOST, PORT, ...environment } = system.environment;
    expect([HOST, PORT]).toEqual(['127.0.0.1', '0']);
    settings = {
      ...{ ...environment, NODE_OPTIONS: noteLoaded, DATABASE_URL: catalog.url },
      ...{ OTEL_SERVICE_NAME: 'named all the same', OTEL_TRACES_SAMPLER: 'always_on' },
    };
    migrate({ ...settings, NODE_OPTIONS: '' });
  }, slowMs);

  afterAll(async () => {
    await Promise.all([system.stop(), catalog.drop()]);
  });

  it.each([
    { entry: 'catalog-api/dist/main.js', loaded: ['@nestjs'] },
    { entry: 'provisioner/dist/main.js', loaded: ['@bull-board', '@nestjs'] },
    { entry: 'provisioner/dist/worker.js', loaded: [] },
  ] as const)(
    'should load neither OpenTelemetry nor the client of S3, and the modules for pages only if it serves pages: $entry',
    async ({ entry, loaded }) => {
      const service = await ServiceProcess.start(entry, settings);
      expect(await service.end()).toBe(0);
      expect(loadedBy(service.output)).toEqual(loaded);
    },
    slowMs,
  );

  it('should load no other modules for a command', async () => {
    const { stderr } = await promisify(execFile)(process.execPath, [provisionerCli, 'list'], {
      env: { PATH: process.env['PATH'], ...settings },
    });
    expect(loadedBy(stderr)).toEqual(['@nestjs']);
  });
});
