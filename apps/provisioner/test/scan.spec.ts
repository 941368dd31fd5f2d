import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from '../src/server.js';
import { until } from '../../../test/support/until.ts';
import type { ProvisionerBody } from '../../../test/support/documented-body.ts';
import { TestSystem, type Answer } from './support/system.js';

type Dataset = ProvisionerBody<'GET', '/datasets/srcsys/{id}'>;
type Submission = ProvisionerBody<'GET', '/submissions/srcsys/{id}'>;

describe('the scan of the source', () => {
  let system: TestSystem;
  let servers: NestFastifyApplication[];

  beforeEach(async () => {
    system = await TestSystem.create({ SOURCE_SCAN_INTERVAL: '1' });
    servers = [];
    await system.deliver('SUB-1', { 'submission.json': '{"title": "One"}', 'DS-1/a': '12345', 'DS-1/deep/b': '1' });
  });

  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await system.stop();
  });

  async function start(settings: Record<string, string> = {}): Promise<NestFastifyApplication> {
    const server = await startServer({ ...system.environment, ...settings });
    servers.push(server);
    system.url = await server.getUrl();
    await until(async () => (await system.get('/health/ready')).status === 200, 60_000);
    return server;
  }

  const getAt = async (server: NestFastifyApplication, id = 'DS-1'): Promise<Dataset> =>
    (await system.call('GET', `/datasets/srcsys/${id}`, undefined, {}, await server.getUrl())).body;

  const roundAt = async (server: NestFastifyApplication): Promise<string | null> => {
    const { body } = await system.call('GET', '/datasets/srcsys', undefined, {}, await server.getUrl());
    return (body as unknown as { readonly as_of: string | null }).as_of;
  };

  /** Waits until two more rounds have ended. */
  async function rounds(server: NestFastifyApplication): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      const last = await roundAt(server);
      await until(async () => (await roundAt(server)) !== last, 60_000);
    }
  }

  const arrived = (reference: string): Promise<Answer<Submission>> =>
    system.call('POST', `/submissions/srcsys/${reference}/arrived`);

  const isWalked = async (server: NestFastifyApplication, files: number, id?: string): Promise<boolean> =>
    (await getAt(server, id)).files === files;

  it('should be made by one service for all, and continue with another service when that one stops', async () => {
    const [first, second] = [await start(), await start()];
    for (const server of [first, second]) await until(() => isWalked(server, 2), 60_000);
    await until(async () => (await getAt(first)).scanned_at === (await getAt(second)).scanned_at, 60_000);
    expect((await system.get('/submissions/srcsys/SUB-1')).body.title).toBe('One');
    await first.close();
    servers = [second];
    await system.deliver('SUB-2', { 'DS-2/a': '1' });
    await until(() => isWalked(second, 1, 'DS-2'), 60_000);
  });

  it('should walk a delivery again when its folder changes, and the next service should not walk it again', async () => {
    const first = await start();
    await until(() => isWalked(first, 2), 60_000);
    await system.deliver('SUB-1', { 'DS-1/c': '1' });
    await until(() => isWalked(first, 3), 60_000);
    await rounds(first);
    await first.close();
    servers = [];
    const startedAt = new Date().toISOString();
    // With this interval, a service walks only what no service has walked.
    const next = await start({ SOURCE_SCAN_INTERVAL: '3600' });
    await until(async () => ((await roundAt(next)) ?? '') > startedAt, 60_000);
    const { files, scanned_at } = await getAt(next);
    expect([files, (scanned_at ?? '') < startedAt]).toEqual([3, true]);
  });

  it('should walk an imported delivery only when a caller announces the submission', async () => {
    const server = await start();
    await until(() => isWalked(server, 2), 60_000);
    await system.startWorker();
    const { body } = await system.importSubmission('SUB-1', 'all');
    await Promise.all([body.id, ...body.datasets.map(({ import_id }) => import_id)].map((id) => system.ended(id)));
    await rounds(server);
    const { scanned_at } = await getAt(server);
    await system.deliver('SUB-1', { 'DS-1/late': '1' });
    await appendFile(join(system.source, 'SUB-1/DS-1/deep/b'), '2');
    await rounds(server);
    expect(await getAt(server)).toMatchObject({ state: 'imported', files: 2, scanned_at });
    const answer = await arrived('SUB-1');
    expect([200, 202]).toContain(answer.status);
    expect(answer.body).toMatchObject({ reference: 'SUB-1', state: 'imported' });
    await until(async () => (await getAt(server)).state === 'differs', 60_000);
    await rounds(server);
    expect(await getAt(server)).toMatchObject({ state: 'differs', files: 3, bytes: 8 });
  });

  it('should answer repeated announcements alike, and 404 when the source lacks the submission', async () => {
    await system.startServer({ SOURCE_SCAN_INTERVAL: '86400' });
    await system.deliver('SUB-1', { 'DS-1/deep/c': '1' });
    const files = async (): Promise<number | null> => (await arrived('SUB-1')).body.files;
    await until(async () => (await files()) === 4, 60_000);
    const answers = await Promise.all(Array.from({ length: 8 }, () => arrived('SUB-1')));
    expect(answers.map(({ body }) => body.files)).toEqual(answers.map(() => 4));
    for (const reference of ['SUB-9', '..', 'a%2Fb']) expect((await arrived(reference)).status).toBe(404);
  });
});
