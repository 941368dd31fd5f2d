import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Catalog,
  Provisioner,
  type HarvestOptions,
  type HarvestPage,
  type RecordOf,
} from '../../clients/typescript/src/index.ts';
import { codeBlocks } from '../support/markdown-blocks.ts';
import { startClientSystem, type ClientSystem } from './support/client-system.ts';
import { generateWithHeyApi } from './support/hey-api.ts';
import { PythonClient } from './support/python-client.ts';
import { installTypeScriptClient, runTypeScript } from './support/typescript-client.ts';

const services = ['catalog-api', 'provisioner'] as const;
const installMs = 300_000;
const runMs = 300_000;

let system: ClientSystem;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clients-'));
  system = await startClientSystem();
}, runMs);

afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true });
});

describe('clients/python', () => {
  let client: PythonClient;

  beforeAll(async () => {
    client = await PythonClient.build();
  }, installMs);

  it('should have a function for every operation except importTerms', async () => {
    const script = `import pkgutil, rdc_client.catalog_api.api as c, rdc_client.provisioner_api.api as p
for api in (c, p):
    for module in pkgutil.walk_packages(api.__path__, api.__name__ + "."): print(module.name)`;
    const modules = new Set((await client.python(['-c', script])).split('\n').map((each) => each.split('.').at(-1)));
    const names = (await operationIds()).map((id) => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(names.filter((name) => !modules.has(name))).toEqual(['import_terms']);
  });

  it(
    'should be typed strictly, with its tests and the generated functions',
    () => client.python(['-m', 'mypy', 'src', 'tests', 'generate.py', '--cache-dir', join(folder, 'mypy')]),
    runMs,
  );

  it('should be formatted and linted', async () => {
    await client.python(['-m', 'ruff', 'check', '--no-cache', '.']);
    await client.python(['-m', 'ruff', 'format', '--no-cache', '--check', '.']);
  });

  it(
    'should pass its tests against the running system',
    () => client.python(['-m', 'pytest', '-q'], system.environment),
    runMs,
  );

  it(
    'should run every example of its README and of the guide',
    async () => {
      const examples = await examplesIn('clients/python/README.md', 'python');
      const start = `import os; os.chdir(${JSON.stringify(folder)})`;
      for (const example of examples) await client.python(['-c', `${start}\n${example}`], system.environment);
    },
    runMs,
  );
});

describe('clients/typescript', () => {
  let catalog: Catalog;
  let provisioner: Provisioner;

  beforeAll(() => {
    const { RDC_URL: url = '', RDC_KEY: key } = system.environment;
    catalog = new Catalog(url, { key });
    provisioner = new Provisioner(url, { key });
  });

  const created = async (): Promise<RecordOf<'datasets'>> => {
    const { data } = await catalog.api.POST('/api/datasets', { body: { name: `TypeScript ${randomUUID()}` } });
    return data as RecordOf<'datasets'>;
  };
  const pagesOf = async (options: HarvestOptions = {}): Promise<HarvestPage<RecordOf<'datasets'>>[]> => {
    const pages = [];
    for await (const page of catalog.harvest('datasets', options)) pages.push(page);
    return pages;
  };
  const namesOf = (pages: readonly HarvestPage<RecordOf<'datasets'>>[]): string[] =>
    pages.flatMap(({ records }) => records.map(({ name }) => name)).sort();

  it(
    'should run every example of its README and of the guide, compiled strictly against the tarball',
    async () => {
      const files = await installTypeScriptClient();
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/index.js']));
      await runTypeScript(await examplesIn('clients/typescript/README.md', 'ts'), system.environment);
    },
    runMs,
  );

  it('should throw the error of a code', async () => {
    const unknown = catalog.api.GET('/api/datasets/{id}', { params: { path: { id: 'NONE-1' } } });
    await expect(unknown).rejects.toMatchObject({ name: 'ApiError', status: 404, code: 'record.unknown' });
    const invalid = catalog.api.GET('/api/datasets', { params: { query: { limit: 5000 } } });
    await expect(invalid).rejects.toMatchObject({ code: 'input.invalid', more: { fields: [{ field: 'limit' }] } });
    const stranger = new Catalog(system.environment['RDC_URL'] ?? '', { key: 'wrong' });
    await expect(stranger.api.GET('/api/datasets')).rejects.toMatchObject({ status: 403, code: 'key.unknown' });
  });

  it('should harvest every record once in pages, then nothing, then only changes', async () => {
    const wanted = await Promise.all([1, 2, 3, 4, 5].map(created));
    const pages = await pagesOf({ pageSize: 3 });
    const names = namesOf(pages);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(wanted.map(({ name }) => name)));
    const state = pages.at(-1)?.state;
    expect(await pagesOf({ state })).toEqual([]);
    const { name } = await created();
    const changes = await pagesOf({ state });
    expect(namesOf(changes)).toContain(name);
    expect(await pagesOf({ state: changes.at(-1)?.state })).toEqual([]);
  });

  it('should continue after the stored page when the program was killed', async () => {
    const expected = namesOf(await pagesOf());
    const read: HarvestPage<RecordOf<'datasets'>>[] = [];
    for (let state: string | undefined; ; state = read.at(-1)?.state) {
      const { value, done } = await catalog.harvest('datasets', { state, pageSize: 2 }).next();
      if (done) break;
      read.push(value);
    }
    expect(namesOf(read)).toEqual(expected);
  });

  it('should begin the pass again when the service refuses the stored query', async () => {
    const [page] = await pagesOf({ pageSize: 1 });
    const state = { ...(JSON.parse(page?.state ?? '') as object), next: { cursor: 'of-another-version' }, etag: null };
    expect(namesOf(await pagesOf({ state: JSON.stringify(state) }))).toEqual(namesOf(await pagesOf()));
  });

  it('should refuse the state of another list, of other filters and of another program', async () => {
    const state = (await pagesOf()).at(-1)?.state;
    await expect(catalog.harvest('projects', { state }).next()).rejects.toThrow('keep one state for each list');
    await expect(pagesOf({ state, filters: { project_id: 'RDC_1' } })).rejects.toThrow('keep one state for each list');
    await expect(pagesOf({ state: '2026-01-31' })).rejects.toThrow('a harvest of another program');
  });

  it(
    'should import a dataset, and a submission with datasets',
    async () => {
      const done = await provisioner.importDataset('TS-1');
      expect(done).toMatchObject({ state: 'finished', subject: 'TS-1' });
      expect(await provisioner.importDataset('TS-1')).toMatchObject({ id: done.id });
      const imports = await provisioner.importSubmission('SUB-TS', { datasets: ['TS-2', 'TS-3'] });
      expect(imports.map(({ subject }) => subject)).toEqual(['SUB-TS', 'TS-2', 'TS-3']);
    },
    runMs,
  );

  it(
    'should throw the reason when an import ends without success, is refused or takes too long',
    async () => {
      await expect(provisioner.importDataset('TS-BAD')).rejects.toMatchObject({
        ...{ name: 'ImportEndedError', code: 'checksum.mismatch' },
      });
      await expect(provisioner.importSubmission('SUB-TS', { datasets: ['TS-BAD'] })).rejects.toMatchObject({
        ...{ name: 'DatasetRefusedError', datasetId: 'TS-BAD', code: 'source.rejected' },
      });
      await expect(provisioner.importDataset('TS-4', { timeout: 0 })).rejects.toThrow('has not ended');
      expect(await provisioner.importDataset('TS-4')).toMatchObject({ state: 'finished' });
      await expect(provisioner.importDataset('NONE-1')).rejects.toMatchObject({ code: 'record.unknown' });
    },
    runMs,
  );
});

describe('clients that hey-api generates', () => {
  it(
    'should compile strictly and read from the running system',
    async () => {
      const files = await generateWithHeyApi(services);
      const [catalog, provisioner] = await Promise.all(
        files.map(async (file) => (await import(file)) as GeneratedFunctions),
      );
      const { RDC_URL: baseUrl, RDC_KEY: key } = system.environment;
      const options = { baseUrl, headers: { 'X-API-Key': key } };
      const { data } = (await catalog?.['listDatasets']?.({ ...options, query: { limit: 1 } })) ?? {};
      expect(data).toMatchObject({ items: [{ name: expect.any(String) as string }] });
      const missing = await catalog?.['getDataset']?.({ ...options, path: { id: 'NONE-1' } });
      expect(missing?.error).toMatchObject({ more: { code: 'record.unknown' } });
      const source = await provisioner?.['listSourceDatasets']?.(options);
      expect(source?.data).toMatchObject({
        items: expect.arrayContaining([expect.objectContaining({ id: 'TS-1' })]) as unknown,
      });
    },
    installMs,
  );
});

/** The functions that hey-api generates, by `operationId`. */
type GeneratedFunctions = Readonly<Record<string, (options: object) => Promise<{ data?: unknown; error?: unknown }>>>;

async function operationIds(): Promise<string[]> {
  const texts = services.map((service) => readFile(`docs/openapi/${service}.json`, 'utf8'));
  return (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(/"operationId": "(\w+)"/g)].map(([, id = '']) => id),
  );
}

/** Returns the examples of a page and of the guide in a language. */
async function examplesIn(page: string, language: string): Promise<string[]> {
  const examples = await Promise.all([page, 'docs/integrate.md'].map((each) => codeBlocks(each, language)));
  expect(examples.map(({ length }) => length > 0)).toEqual([true, true]);
  return examples.flat();
}
