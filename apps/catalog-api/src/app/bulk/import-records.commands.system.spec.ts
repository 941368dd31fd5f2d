import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogSettings } from '../catalog.settings.js';
import { startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';
import { importRecordsCommands } from './import-records.commands.js';
import { commandContext } from '../command-context.js';

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

  const run = async (list: string, ...args: string[]): Promise<string[]> => {
    const lines: string[] = [];
    const command = importRecordsCommands.find(({ usage }) => usage.startsWith(`import ${list} `));
    const settings = catalogSettings(catalog.environment);
    await command?.run(
      args,
      commandContext(settings, (line) => void lines.push(line)),
    );
    return lines;
  };

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
    const lines: string[] = [];
    const [command] = importRecordsCommands;
    const context = commandContext(catalogSettings(catalog.environment), (line: string) => void lines.push(line));
    await expect(command?.run([file], context)).rejects.toThrow('2 items are invalid; nothing was written.');
    expect(lines).toEqual([
      'item 1: name must not be empty',
      'item 2: name is missing',
      'item 2: nick is not known here',
    ]);
  });

  it('should refuse an import when HOME_ORGANISATION differs from the value of the running catalog', async () => {
    const file = join(folder, 'one.ndjson');
    await writeFile(file, '{"name":"One"}\n');
    const settings = catalogSettings({ ...catalog.environment, HOME_ORGANISATION: 'Another Centre' });
    const [command] = importRecordsCommands;
    const run = command?.run(
      [file],
      commandContext(settings, () => undefined),
    );
    await expect(run).rejects.toThrow(
      'Set HOME_ORGANISATION and PROTECTED_INHERITS to the values of the running catalog.',
    );
  });

  it('should refuse a missing file and unknown arguments', async () => {
    await expect(run('partners', join(folder, 'nothing.json'))).rejects.toThrow('cannot read');
    await expect(run('partners')).rejects.toThrow('Exactly one file is required.');
    await expect(run('partners', 'a', 'b')).rejects.toThrow('Exactly one file is required.');
    await expect(run('partners', 'a', '--force')).rejects.toThrow("Unknown option '--force'");
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
