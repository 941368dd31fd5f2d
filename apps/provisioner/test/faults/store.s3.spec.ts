import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { makeBucket, s3Settings, testAccess } from '../support/s3.js';
import { TestSystem } from '../support/system.js';
import { FaultProxy, type Call, type Fault } from './support/fault-proxy.js';
import { inTurns } from './support/in-turns.js';
import { World } from './support/world.js';

/** The timeout of an import. Four systems run at once in one process. */
const importTimeoutMs = 280_000;

jest.setTimeout(300_000);

const isPart = ({ method, query }: Call): boolean => method === 'PUT' && query.includes('partNumber');
const isPayload = ({ method, path, query }: Call): boolean =>
  method === 'PUT' && path.includes('/raw/') && query === 'x-id=PutObject';
const isComplete = ({ method, query }: Call): boolean => method === 'POST' && query.includes('uploadId');
const isOwner = ({ method, path }: Call): boolean => method === 'PUT' && path.endsWith('/owner.json');
const isCommit = ({ method, path }: Call): boolean => method === 'PUT' && path.includes('/.commits/');
const isListing = ({ method, query }: Call): boolean => method === 'GET' && query.includes('list-type');
const isPayloadListing = (call: Call): boolean =>
  isListing(call) && /prefix=[^&]*raw/.test(call.query) && !call.query.includes('max-keys');

const answer = (status: number, code: string): Fault => ({ kind: 'answer', status, code });

/** A fault: its name, its number of occurrences, the calls that it concerns, and its effect. */
type Row = readonly [what: string, times: number, concerns: (call: Call) => boolean, fault: Fault];

/** The client retries after up to three consecutive faults, and an import after twice as many. */
const table: readonly Row[] = [
  ['500 for parts', 6, isPart, answer(500, 'InternalError')],
  ['503 SlowDown for files', 8, isPayload, answer(503, 'SlowDown')],
  ['resets in parts', 2, isPart, { kind: 'reset' }],
  ['lost answers to files', 3, isPayload, { kind: 'reset answer' }],
  ['a lost answer to the completion of an upload', 1, isComplete, { kind: 'reset answer' }],
  ['an upload that does not exist when it is completed', 1, isComplete, answer(404, 'NoSuchUpload')],
  ['truncated listings', 2, isListing, { kind: 'truncate answer' }],
  ['a byte that is flipped in a part', 1, isPart, { kind: 'flip a byte' }],
  ['a byte that is flipped in a file', 1, isPayload, { kind: 'flip a byte' }],
  ['a lost answer to the decision', 1, isOwner, { kind: 'reset answer' }],
  ['a lost answer to the commit', 1, isCommit, { kind: 'reset answer' }],
  ['412 for a commit that does not exist', 1, isCommit, answer(412, 'PreconditionFailed')],
  ['silence before a part', 1, isPart, { kind: 'silence', ms: 3_000 }],
  ['a redirection of a part', 1, isPart, answer(307, 'TemporaryRedirect')],
  ['another ETag for a part', 1, isPart, { kind: 'wrong ETag' }],
  ['another ETag for a file', 1, isPayload, { kind: 'wrong ETag' }],
  ['a listing that lags behind', 1, isPayloadListing, { kind: 'leave out an object' }],
];

describe('a store that fails', () => {
  let runs: Map<Row, Promise<void>>;

  beforeAll(() => {
    runs = inTurns(table, 4, ([, times, concerns, fault]) =>
      imported(async (system, proxy, ask) => {
        proxy.spoil(times, concerns, fault);
        expect(await system.ended(await ask(), importTimeoutMs)).toMatchObject({ state: 'finished', attempt: 1 });
      }),
    );
  });

  afterAll(() => Promise.allSettled(runs.values()));

  it.each(table.map((row) => [row[0], row] as const))(
    'should finish an import in one attempt when the store has %s',
    async (_, row) => {
      await expect(runs.get(row)).resolves.toBeUndefined();
    },
  );

  it('should fail an import with storage.denied when the key has expired, and resume it at the next request', async () => {
    await imported(async (system, proxy, ask) => {
      proxy.spoil(1, isPayload, answer(403, 'ExpiredToken'));
      const id = await ask();
      expect(await system.ended(id)).toMatchObject({ state: 'failed', error: { code: 'storage.denied' } });
      expect(await ask()).toBe(id);
      expect(await system.ended(id)).toMatchObject({ state: 'finished', attempt: 2 });
    });
  });
});

/** Imports a dataset through a proxy and checks the result. */
async function imported(
  rehearse: (system: TestSystem, proxy: FaultProxy, ask: () => Promise<string>) => Promise<void>,
): Promise<void> {
  const proxy = await FaultProxy.before(testAccess.endpoint ?? '');
  const { url, bucket } = await makeBucket();
  const system = await TestSystem.create({ ...s3Settings('STORAGE', url), STORAGE_S3_ENDPOINT: proxy.url });
  try {
    await system.deliver('SUB-1', { 'DS-1/a': 'small', 'DS-1/large': randomBytes(17 << 20) });
    const world = await World.of(system, bucket);
    await system.startServer();
    await system.startWorker();
    const ask = async (): Promise<string> =>
      (await system.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body.id;
    await rehearse(system, proxy, ask);
    expect(proxy.spoilt).toBeGreaterThan(0);
    await world.check();
  } finally {
    await system.stop();
    proxy.stop();
  }
}
