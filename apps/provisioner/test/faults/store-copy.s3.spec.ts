import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { testAccess } from '../support/s3.js';
import { buildServices } from '../../../../test/support/service-process.ts';
import { FaultProxy, type Call, type Fault } from './support/fault-proxy.js';
import { outlivedAt } from './support/halted.js';
import { inTurns } from './support/in-turns.js';
import { reuseAfterKill } from './support/killed.js';
import { systemInOneStore } from './support/one-store.js';
import { RedisDatabases } from './support/redis-databases.js';
import { World } from './support/world.js';

jest.setTimeout(180_000);

const smallFiles = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`DS-1/a/${String(index)}`, String(index)]),
);
const delivery = { ...smallFiles, 'DS-1/large': randomBytes(33 << 20) };
const all = Object.keys(delivery).length;

/** The failpoint at which a worker is killed, and the minimum number of files finished at the failpoint. */
const kills: readonly (readonly [string, number])[] = [
  ['before_complete', 0],
  ['mid_file:25', 0],
  ['before_journal:2', 0],
  ['after_journal:2', all],
  ['before_decision', all],
];

/** The failpoint at which a worker is paused until another has ended its import, and the source at that time. */
const halts = [
  ['before_complete', 'the same'],
  ['before_complete', 'another'],
  ['mid_file', 'another'],
  ['before_journal', 'the same'],
] as const;

/** Files that are only copied by the store. Calls that send a file could be running when the worker is paused. */
const copiedOnly = { 'DS-1/gone': Buffer.alloc(5 << 20, 2), 'DS-1/large': Buffer.alloc(17 << 20, 1) };

/** The faults of copy calls. */
const faults: readonly (readonly [string, number, Fault])[] = [
  ['lost answers', 3, { kind: 'reset answer' }],
  ['resets', 3, { kind: 'reset' }],
  ['silence', 1, { kind: 'silence', ms: 3_000 }],
  ['500 again and again', 6, { kind: 'answer', status: 500, code: 'InternalError' }],
  ['a refusal', 1, { kind: 'answer', status: 403, code: 'AccessDenied' }],
];

describe('an import whose files the store copies', () => {
  let databases: RedisDatabases;
  let runs: Map<string, Promise<unknown>>;

  beforeAll(async () => {
    await buildServices();
    databases = await RedisDatabases.start();
    const keys = [...kills.map(([at]) => `killed ${at}`), ...halts.map(String), ...faults.map(([what]) => what)];
    runs = inTurns(keys, 4, async (key) => {
      const [failpoint = '', source] = key.split(',');
      const fault = faults.find(([what]) => what === key);
      if (fault) return spoilt(fault);
      const { system, bucket } = await systemInOneStore(databases.next());
      if (source !== undefined) {
        const before = failpoint === 'before_complete' ? copiedOnly : undefined;
        return outlivedAt(system, bucket, failpoint, source as 'the same' | 'another', before);
      }
      return reuseAfterKill(system, bucket, delivery, { FAILPOINT: failpoint.slice('killed '.length) });
    });
  });

  afterAll(async () => {
    await Promise.allSettled(runs.values());
    await databases.stop();
  });

  it.each(kills)(
    'should be resumed when its worker is killed at %s, with at least %i reused files',
    async (at, least) => {
      const reuse = (await runs.get(`killed ${at}`)) as { readonly files: number };
      expect(reuse.files).toBeGreaterThanOrEqual(least);
    },
  );

  it.each(halts)('should survive a worker that is paused at %s until %s source is imported', async (...row) => {
    await expect(runs.get(String(row))).resolves.toBeUndefined();
  });

  it.each(faults)('should finish in one attempt despite %s', async (what) => {
    await expect(runs.get(what)).resolves.toBeUndefined();
  });

  async function spoilt([, times, fault]: (typeof faults)[number]): Promise<void> {
    const proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    const settings = { SOURCE_S3_ENDPOINT: proxy.url, STORAGE_S3_ENDPOINT: proxy.url };
    const { system, bucket } = await systemInOneStore(settings);
    try {
      await system.deliver('SUB-1', delivery);
      const world = await World.of(system, bucket);
      await system.startServer();
      await system.startWorker();
      proxy.spoil(times, ({ isCopy }: Call) => isCopy, fault);
      const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body;
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 1 });
      expect(proxy.spoilt).toBe(times);
      await world.check();
    } finally {
      await system.stop();
      proxy.stop();
    }
  }
});
