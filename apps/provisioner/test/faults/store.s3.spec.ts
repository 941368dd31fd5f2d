import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Bucket } from '../../src/s3/bucket.js';
import { makeBucket, s3Settings, testAccess } from '../support/s3.js';
import { TestSystem, until } from '../support/system.js';
import { FaultProxy, type Call, type Fault } from './support/fault-proxy.js';
import { World } from './support/world.js';

jest.setTimeout(120_000);

const isPart = ({ method, query }: Call): boolean => method === 'PUT' && query.includes('partNumber');
const isPayload = ({ method, path, query }: Call): boolean =>
  method === 'PUT' && path.includes('/raw/') && query === 'x-id=PutObject';
const isComplete = ({ method, query }: Call): boolean => method === 'POST' && query.includes('uploadId');
const isOwner = ({ method, path }: Call): boolean => method === 'PUT' && path.endsWith('/owner.json');
const isCommit = ({ method, path }: Call): boolean => method === 'PUT' && path.includes('/.commits/');
const isListing = ({ method, query }: Call): boolean => method === 'GET' && query.includes('list-type');

const answer = (status: number, code: string): Fault => ({ kind: 'answer', status, code });

/** What goes wrong, how often, and with which calls. The client bears four in a row, an import twice as many. */
const table: readonly (readonly [string, number, (call: Call) => boolean, Fault])[] = [
  ['500 for parts', 6, isPart, answer(500, 'InternalError')],
  ['503 SlowDown for files', 8, isPayload, answer(503, 'SlowDown')],
  ['resets in parts', 2, isPart, { kind: 'reset' }],
  ['lost answers to files', 3, isPayload, { kind: 'reset answer' }],
  ['a lost answer to the completion of an upload', 1, isComplete, { kind: 'reset answer' }],
  ['an upload that is gone when it is completed', 1, isComplete, answer(404, 'NoSuchUpload')],
  ['truncated listings', 2, isListing, { kind: 'truncate answer' }],
  ['a byte that is flipped in a part', 1, isPart, { kind: 'flip a byte' }],
  ['a byte that is flipped in a file', 1, isPayload, { kind: 'flip a byte' }],
  ['a lost answer to the decision', 1, isOwner, { kind: 'reset answer' }],
  ['a lost answer to the commit', 1, isCommit, { kind: 'reset answer' }],
  ['412 for a commit that is not there', 1, isCommit, answer(412, 'PreconditionFailed')],
  ['silence before a part', 1, isPart, { kind: 'silence', ms: 3_000 }],
];

describe('a store with', () => {
  let proxy: FaultProxy;
  let system: TestSystem;
  let bucket: Bucket;
  let world: World;
  let count = 0;

  beforeAll(async () => {
    proxy = await FaultProxy.before(testAccess.endpoint ?? '');
    const made = await makeBucket();
    ({ bucket } = made);
    const settings = { ...s3Settings('STORAGE', made.url), STORAGE_S3_ENDPOINT: proxy.url };
    system = await TestSystem.create(settings);
    const large = randomBytes(17 << 20);
    for (const at of table.keys())
      await system.deliver('SUB-1', { [`DS-${String(at)}/a`]: 'small', [`DS-${String(at)}/large`]: large });
    world = await World.of(system, bucket);
    await system.startServer();
    await system.startWorker();
  });

  afterAll(async () => {
    await world.check();
    await system.stop();
    proxy.stop();
  });

  it.each(table)('%s should finish every import once and whole', async (_, times, concerns, fault) => {
    proxy.spoil(times, concerns, fault);
    const { id } = (await system.post('/datasets/srcsys/import', { dataset_id: `DS-${String(count++)}` })).body;
    expect(await system.ended(id, 100_000)).toMatchObject({ state: 'finished', attempt: 1 });
    await until(() => Promise.resolve(proxy.spoilt > 0));
  });
});
