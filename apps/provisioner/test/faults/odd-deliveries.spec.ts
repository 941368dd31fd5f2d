import { mkdir, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { aBag, aDataPackage, digest, type Files } from '../support/delivery.js';
import { TestSystem } from '../support/system.js';
import type { Import } from '../../../../test/support/documented-body.ts';
import { World } from './support/world.js';

const listOf = (algorithm: string, files: Files): string =>
  Object.entries(files)
    .map(([path, bytes]) => `${digest(algorithm, bytes)}  ${path}\n`)
    .join('');

const { 'datapackage.json': wrongSize = '' } = aDataPackage('Sizes', { a: 'longer', b: 'longer' });

/** Deliveries with descriptors: the name, the files, the code of the rejection or null, and the reported files. */
const declared: readonly (readonly [string, Files, string | null, readonly string[]])[] = [
  [
    'wrong SHA-512',
    { a: '1', b: '2', SHA512SUMS: listOf('sha512', { a: 'x', b: 'y' }) },
    'checksum.mismatch',
    ['a', 'b'],
  ],
  [
    'a title that is too long',
    { a: '1', 'datapackage.json': JSON.stringify({ title: 'x'.repeat(1_001), resources: [] }) },
    'descriptor.invalid',
    ['datapackage.json'],
  ],
  ['other sizes', { a: '1', b: '2', 'datapackage.json': wrongSize }, 'size.mismatch', ['a', 'b']],
  [
    'files that are missing or spelled in another case',
    { a: '1', MD5SUMS: listOf('md5', { A: '1', gone: '' }) },
    'file.missing',
    ['A', 'gone'],
  ],
  [
    'a bag with a file too many',
    { ...aBag({ a: '1' }), 'data/more': '', 'data/b': '' },
    'file.unlisted',
    ['data/b', 'data/more'],
  ],
  ['half a descriptor', { 'datapackage.json': '{"resources": [' }, 'descriptor.invalid', ['datapackage.json']],
  [
    'two digests of one file',
    { a: '1', SHA1SUMS: listOf('sha1', { a: '1' }) + `${digest('sha1', '2')}  a\n` },
    'descriptor.invalid',
    ['SHA1SUMS'],
  ],
  ['the same digest twice', { a: '1', SHA1SUMS: listOf('sha1', { a: '1' }).repeat(2) }, null, []],
  [
    'a graph with holes',
    { 'ro-crate-metadata.json': '{"@graph": [{"@id": "./"}, null]}' },
    'descriptor.invalid',
    ['ro-crate-metadata.json'],
  ],
];

/** Names that are not valid ids. The last two are one name in two Unicode forms. */
const names = [
  'a b',
  'dot.',
  'C:',
  '-rf',
  'x'.repeat(200),
  'new\nline',
  '%2e%2e',
  'back\\..',
  '\u202Ecod',
  'é',
  'e\u0301',
];

describe('a delivery', () => {
  let system: TestSystem;
  let world: World;

  beforeAll(async () => {
    system = await TestSystem.create();
    for (const [at, [, files]] of declared.entries())
      for (const [path, bytes] of Object.entries(files))
        await system.deliver('SUB-1', { [`DS-${String(at)}/${path}`]: bytes });
    await system.deliver('SUB-1', { 'DS-HUGE/datapackage.json': '' });
    await truncate(join(system.source, 'SUB-1/DS-HUGE/datapackage.json'), 257 << 20);
    await system.deliver('SUB-LONG', { 'submission.json': JSON.stringify({ title: 'x'.repeat(1_001) }) });
    for (const name of names) await mkdir(join(system.source, 'SUB-2', name), { recursive: true });
    world = await World.of(system);
    await system.startServer();
    await system.startWorker();
  });

  afterAll(async () => {
    await world.check();
    await system.stop();
  });

  async function imported(dataset: string): Promise<Import> {
    return system.ended((await system.post('/datasets/srcsys/import', { dataset_id: dataset })).body.id);
  }

  it.each(declared.map(([name, , code, files], index) => [name, code, files, `DS-${String(index)}`] as const))(
    'that declares %s should end with the code %s and report the files %j',
    async (_, code, files, dataset) => {
      const ended = await imported(dataset);
      expect(ended).toMatchObject(code === null ? { state: 'finished' } : { state: 'rejected', error: { code } });
      const failed = (await system.get(`/imports/${ended.id}/files?state=failed`)).body.items;
      expect(failed.map(({ path }) => path).sort()).toEqual(files);
      if (code === null) return;
      const again = await system.post('/datasets/srcsys/import', { dataset_id: dataset });
      expect(again).toMatchObject({ status: 409, body: { more: { code: 'source.rejected' } } });
    },
  );

  it('should be rejected when the description of its submission is too long', async () => {
    const { id } = (await system.post('/submissions/srcsys/import', { reference: 'SUB-LONG' })).body;
    const ended = await system.ended(id);
    expect(ended).toMatchObject({ state: 'rejected', error: { code: 'descriptor.invalid' } });
    expect(ended.error?.message).toBe(
      'submission.json cannot be used: its title has 1001 characters and may have 1000.',
    );
    expect((await system.get('/submissions/srcsys/SUB-LONG')).body).toMatchObject({ problems: ['descriptor.invalid'] });
  });

  it('should be rejected when its descriptor is too large', async () => {
    expect(await imported('DS-HUGE')).toMatchObject({ state: 'rejected', error: { code: 'descriptor.too_large' } });
  });

  it('should be listed and refused when its name is not a valid id', async () => {
    const { items } = (await system.get('/datasets/srcsys?submission=SUB-2')).body;
    expect(items).toHaveLength(names.length);
    for (const { id, problems } of items) {
      expect(problems).toEqual(['id.invalid']);
      const asked = await system.post('/datasets/srcsys/import', { dataset_id: id });
      expect(asked).toMatchObject({ status: 409, body: { more: { code: 'id.invalid' } } });
    }
    const open = readdir(join(system.storage, 'data/.requests/open/dataset'));
    expect(await open.catch(() => [])).toEqual([]);
  });
});
