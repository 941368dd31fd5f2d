import { jest } from '@jest/globals';
import { removeTree } from '../../src/storage/posix/remove-tree.js';
import { join } from 'node:path';
import { digest } from '../support/delivery.js';
import { makeBucket, s3Settings } from '../support/s3.js';
import { buildServices, ServiceProcess } from '../../../../test/support/service-process.ts';
import { TestSystem } from '../support/system.js';

jest.setTimeout(180_000);

const delivery = { 'DS-1/a': 'first', 'DS-1/b': 'first' };

describe('an import whose worker was killed after its publication was decided', () => {
  let system: TestSystem;
  let second: ServiceProcess | undefined;

  beforeAll(() => buildServices());

  afterEach(async () => {
    await second?.end('SIGTERM');
    await system.stop();
  });

  it.each([
    ['removed', () => removeTree(join(system.source, 'SUB-1'))],
    ['changed', () => system.redeliver('SUB-1', { ...delivery, 'DS-1/a': 'second' })],
    ['made invalid', () => system.deliver('SUB-1', { 'DS-1/SHA256SUMS': `${digest('sha256', 'x')}  gone\n` })],
  ])('should finish when the delivery was %s after the decision', async (_, change) => {
    const { url, bucket } = await makeBucket();
    system = await TestSystem.create(s3Settings('STORAGE', url));
    await system.deliver('SUB-1', delivery);
    await system.startServer();
    const first = await ServiceProcess.startWorker({ ...system.environment, FAILPOINT: 'before_commit' });
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
    expect(await first.signalOfEnd()).toBe('SIGKILL');
    expect(await bucket.head('data/.commits/raw/DS-1.json')).toBeNull();
    await change();
    second = await ServiceProcess.startWorker(system.environment);
    expect(await system.ended(id)).toMatchObject({ state: 'finished', result: { path: 'data/raw/DS-1/' } });
    expect((await bucket.get('data/raw/DS-1/a'))?.toString()).toBe('first');
    expect(JSON.parse(String(await bucket.get('data/.commits/raw/DS-1.json')))).toMatchObject({ import_id: id });
    expect(await bucket.holdsAny('data/.staging/dataset/')).toBe(false);
  });
});
