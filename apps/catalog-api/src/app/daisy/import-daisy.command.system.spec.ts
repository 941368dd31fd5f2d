import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { daisyKey as key, payloads, person, source, startDaisy } from '../../../test/daisy.js';
import { startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';
import { runCatalog } from '../../../test/support/command-line.js';

describe('import daisy', () => {
  let catalog: WritableCatalog;
  let daisy: Server;
  let url: string;
  let keys: string;
  let keyFile: string;
  let wrongKeyFile: string;

  beforeAll(async () => {
    keys = await mkdtemp(join(tmpdir(), 'daisy-keys-'));
    [keyFile, wrongKeyFile] = [join(keys, 'key'), join(keys, 'wrong')];
    await Promise.all([writeFile(keyFile, `${key}\n`), writeFile(wrongKeyFile, 'wrong')]);
    daisy = await startDaisy();
    url = `http://127.0.0.1:${String((daisy.address() as AddressInfo).port)}/daisy`;
  });

  afterAll(async () => {
    await new Promise((resolve) => daisy.close(resolve));
    await rm(keys, { recursive: true });
  });

  beforeEach(async () => {
    catalog = await startWritableCatalog({ HOME_ORGANISATION: 'Home Institute' });
  });

  afterEach(() => catalog.stop());

  const run = (...args: string[]): Promise<string[]> => runCatalog(catalog.environment, ['import', 'daisy', ...args]);

  it('should import a running DAISY and report the values that it could not import unchanged', async () => {
    const lines = await run('--url', url, '--key-file', keyFile);
    expect(lines).toEqual(
      expect.arrayContaining([
        'partners: 3 items; 3 created, 0 updated, 0 unchanged.',
        'contracts: 2 items; 2 created, 0 updated, 0 unchanged.',
        'partners: 1 published.',
        'cohorts: 1 published.',
        '  partners: the member colour was not imported (1×, e.g. ELU_I_77)',
        '  cohorts: the institute 500 is not among the partners and was not imported (1×, e.g. ELU_C_1)',
        '  projects: the role of a contact "Boss" was replaced by "Other" (1×, e.g. ELU_I_100)',
        '  datasets: the unknown use_class "XYZ" was replaced by "Other" (1×, e.g. ELU_I_103)',
        '  datasets: the storage_end_date "2023-02-30" is not a day and was not imported (1×, e.g. ELU_I_103)',
        '  datasets: the legal basis "9.2" was not imported (1×, e.g. ELU_I_103)',
        expect.stringContaining('Not in the source: users, roles, custodians, endpoints'),
        '  contracts: the project of a contract is not among the projects; the contract was imported without a project (1×, e.g. Loose)',
      ]),
    );
    expect((await catalog.read('/api/partners/ELU_I_77')).body).toMatchObject({
      country_code: 'LU',
      source,
      published: false,
    });
    expect((await catalog.read('/api/partners/ELU_I_2')).body).toMatchObject({
      country_code: null,
      metadata: '{}',
      published: true,
    });
    const cohort = await catalog.read('/api/cohorts/ELU_C_1');
    expect(cohort.body).toMatchObject({
      published: true,
      institutes: [77, 2],
      contacts: [{ email: null, type: 'Other', partners: [] }],
    });
    expect((await catalog.read('/api/projects/ELU_I_100')).body).toMatchObject({
      name: '',
      contacts: [{ email: null }, { first_name: 'Alice', role: 'Other' }],
      publications: [{ doi: '10.1/abc' }, { citation: 'NoDOI', doi: null }],
      metadata: '{"daisy": [1]}',
    });
    const dataset = await catalog.read('/api/datasets/ELU_I_103');
    expect(dataset.body).toMatchObject({
      uuid: '3a11fc66-2433-4c2a-98e1-39167c3a3848',
      project: 'P-ONE',
      contacts: [],
      data_declarations: [
        {
          cohorts: [{ cohort: 'Cohort' }, { cohort: 'Hidden' }],
          data_types: ['Clinical data', 'Samples'],
          data_types_notes: 'notes',
          consent_status: null,
          use_conditions: [
            { use_class: 'PS' },
            { use_class: 'Other', use_class_note: 'XYZ: own', use_condition_rule: 'PROHIBITION' },
          ],
        },
      ],
      storages: [{ platform: 'Atlas server', location: '/a/b', category: 'master', accesses: ['note'] }],
      transfers: [{ partner: 'Unlisted' }],
    });
    const { body: contracts } = await catalog.read('/api/contracts?all=true');
    expect(contracts['items']).toMatchObject([
      { name: 'Contract 1', project_id: 1, partners: [{ partner: 'Laboratory', contacts: [{ email: person.email }] }] },
      { name: 'Loose', project_id: null },
    ]);
  });

  it('should warn about the list of processes when the key is an argument', async () => {
    const [warning, ...lines] = await run('--url', url, '--key', key, '--dry-run');
    expect(warning).toMatch(/Warning: .* can read the value of --key in the list of processes/);
    expect(lines).toContain('dry run: partners: 3 items; 3 created, 0 updated, 0 unchanged.');
  });

  it('should change nothing when it runs again', async () => {
    await run('--url', `${url}/`, '--key-file', keyFile);
    const tag = (await catalog.read('/api/datasets')).headers.get('etag');
    const lines = await run('--url', url, '--key-file', keyFile);
    expect(lines.filter((line) => line.includes(' items; '))).toEqual([
      'partners: 3 items; 0 created, 0 updated, 3 unchanged.',
      'cohorts: 1 items; 0 created, 0 updated, 1 unchanged.',
      'projects: 1 items; 0 created, 0 updated, 1 unchanged.',
      'datasets: 1 items; 0 created, 0 updated, 1 unchanged.',
      'contracts: 2 items; 0 created, 0 updated, 2 unchanged.',
    ]);
    expect((await catalog.read('/api/datasets')).headers.get('etag')).toBe(tag);
  });

  it('should import a folder of files, and change nothing in a dry run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daisy-'));
    try {
      await expect(run(folder)).rejects.toThrow('contains none of the files partners.json');
      await writeFile(join(folder, 'projects.json'), JSON.stringify(payloads['projects']));
      const dry = await run(folder, '--dry-run');
      expect(dry).toContain('dry run: projects: 1 items; 1 created, 0 updated, 0 unchanged.');
      expect(await catalog.dataSource.query('SELECT FROM projects')).toEqual([]);
      expect(await run(folder)).toEqual(
        expect.arrayContaining([
          'partners: not in the source.',
          'projects: 1 items; 1 created, 0 updated, 0 unchanged.',
        ]),
      );
      const cohorts = [{ name: 'Unstated' }, { name: 'Approved', has_ethics_approval: true }];
      await writeFile(join(folder, 'cohorts.json'), JSON.stringify({ results: cohorts }));
      await run(folder);
      expect(await catalog.dataSource.query('SELECT name, has_ethics_approval FROM cohorts ORDER BY name')).toEqual([
        { name: 'Approved', has_ethics_approval: true },
        { name: 'Unstated', has_ethics_approval: false },
      ]);
      await writeFile(join(folder, 'partners.json'), JSON.stringify(payloads['partners']));
      expect(await run(folder)).toContain('partners: 0 published.');
      expect(await run(folder, '--publish-partners')).toContain('partners: 3 published.');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('should refuse invalid arguments and a DAISY that does not answer', async () => {
    await expect(run('--url', url, '--key-file', wrongKeyFile)).rejects.toThrow(
      'answered 401: check that --key-file contains the global key of the DAISY.',
    );
    await expect(run('--url', 'http://127.0.0.1:1', '--key-file', keyFile)).rejects.toThrow('does not answer');
    await expect(run('--url', 'ftp://x', '--key-file', keyFile)).rejects.toThrow(
      'It must be an http:// or https:// URL.',
    );
    await expect(run('--url', url)).rejects.toThrow('--key-file must be');
    await expect(run('--url', url, '--key-file', '/nowhere')).rejects.toThrow('cannot read /nowhere');
    await expect(run('--url', url, '--secret', key)).rejects.toThrow("unknown option '--secret'");
    await expect(run('--url', url, '--key', key, '--skip', 'dataset/1')).rejects.toThrow('only with --database');
    await expect(run('--database', url)).rejects.toThrow('--database must be a postgres:// URL.');
    await expect(run('--database', 'postgres://x/y')).rejects.toThrow('--report is required');
    await expect(run()).rejects.toThrow('Either a folder');
    await expect(run('--nonsense')).rejects.toThrow("unknown option '--nonsense'");
  });
});
