import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';
import { runCatalog } from '../../../test/support/command-line.js';

describe('import <records>', () => {
  let catalog: WritableCatalog;
  let folder: string;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    folder = await mkdtemp(join(tmpdir(), 'import-'));
  });

  afterAll(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true });
  });

  const run = (...args: string[]): Promise<string[]> => runCatalog(catalog.environment, ['import', ...args]);

  it('should import 10,000 datasets in bounded memory and change nothing when it runs again', async () => {
    const file = join(folder, 'datasets.json');
    const text = await open(file, 'w');
    await text.write('{"items": [\n');
    for (let index = 0; index < 10_000; index++) {
      await text.write(`${index === 0 ? '' : ',\n'}${JSON.stringify(aDataset(index))}`);
    }
    await text.write(']}');
    await text.close();
    const memory = peakMemory();
    const lines = await run('datasets', file, '--create-missing');
    const peak = memory.stop();
    expect(lines).toEqual(['datasets: 10000 items; 10000 created, 0 updated, 0 unchanged.']);
    expect(peak).toBeLessThan(150 * 1024 * 1024);
    const [counts] = await catalog.dataSource.query<[object]>(
      `SELECT (SELECT count(*) FROM dataset_documents)::integer AS documents,
              (SELECT count(*) FROM audit_entries WHERE resource = 'datasets')::integer AS written,
              (SELECT count(*) FROM use_conditions)::integer AS conditions`,
    );
    expect(counts).toEqual({ documents: 10_000, written: 10_000, conditions: 20_000 });
    expect(await run('datasets', file)).toEqual(['datasets: 10000 items; 0 created, 0 updated, 10000 unchanged.']);
  }, 120_000);

  it('should print every invalid item and import none when an item is invalid', async () => {
    const file = join(folder, 'partners.ndjson');
    await writeFile(file, '{"name":"Good"}\n{"name":""}\n{"nick":"x"}\n');
    await expect(run('partners', file)).rejects.toThrow(
      [
        'item 1: name must not be empty',
        'item 2: name is missing',
        'item 2: nick is not known here',
        '2 items are invalid; nothing was written.',
      ].join('\n'),
    );
  });

  it('should refuse a missing file and unknown arguments', async () => {
    await expect(run('partners', join(folder, 'nothing.json'))).rejects.toThrow('cannot read');
    await expect(run('partners')).rejects.toThrow("missing required argument 'file'");
    await expect(run('partners', 'a', 'b')).rejects.toThrow('too many arguments');
    await expect(run('partners', 'a', '--force')).rejects.toThrow("unknown option '--force'");
  });
});

function aDataset(index: number): object {
  return {
    name: `Dataset ${String(index)}`,
    external_id: `D-${String(index)}`,
    project: `PROJECT-${String(index % 50)}`,
    data_declarations: [
      {
        title: 'One',
        data_types: ['Samples'],
        cohorts: [{ cohort: 'Cohort' }],
        use_conditions: [{ use_class: 'GRU' }, { use_class: 'DS', use_class_note: 'x'.repeat(200) }],
      },
    ],
    legal_bases: [{ legal_basis_codes: ['6.1(a)'], data_declarations: ['One'] }],
    storages: [{ platform: 'Server', location: `/data/${String(index)}` }],
    transfers: [{ partner: 'Partner' }],
  };
}

/** Measures by how much the heap grows at most until `stop`. */
function peakMemory(): { stop: () => number } {
  const before = process.memoryUsage().heapUsed;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  }, 10);
  return {
    stop: () => {
      clearInterval(timer);
      return peak - before;
    },
  };
}
