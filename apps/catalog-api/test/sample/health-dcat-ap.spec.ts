import { runCatalog } from '../support/command-line.js';
import { globalKey, type RunningCatalog } from '../catalog.js';
import { statementsOf, violationsIn, type Linked } from '../linked-data.js';
import { centre, startSample } from './start-sample.js';

async function violationsOf(catalog: RunningCatalog, id: string): Promise<string[]> {
  const document = (await (await catalog.fetch(`/api/dcat/datasets/${id}`)).json()) as Linked;
  const statements = await statementsOf(document);
  expect(await violationsIn(statements)).toEqual([]);
  return (await violationsIn(statements, 'HealthDCAT-AP')).map(
    (each) => each.split(' ')[1]?.replace(/.*[/#]/, '') ?? '',
  );
}

/** Returns the lines of `check linked-data` for a catalog with invalid datasets. */
async function checked(catalog: RunningCatalog): Promise<string[]> {
  const failed = await runCatalog(catalog.environment, ['check', 'linked-data']).catch((error: unknown) => error);
  return (failed as Error).message.split('\n');
}

describe('the datasets of the sample in HealthDCAT-AP', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startSample(centre);
  });

  afterAll(() => catalog.stop());

  it('should have no violation when the centre has stated its facts', async () => {
    const { 'dcat:dataset': datasets } = (await (await catalog.fetch('/api/dcat')).json()) as {
      'dcat:dataset': { 'dct:identifier': string; 'dct:accessRights': { '@id': string } }[];
    };
    const levels = datasets.map((each) => each['dct:accessRights']['@id']);
    expect([...new Set(levels)].sort()).toEqual(['access:NON_PUBLIC', 'access:PUBLIC', 'access:RESTRICTED']);
    for (const { 'dct:identifier': id } of datasets) {
      expect([id, await violationsOf(catalog, id)]).toEqual([id, []]);
    }
  });

  it('should be described in one valid catalog', async () => {
    const statements = await statementsOf((await (await catalog.fetch('/api/dcat')).json()) as Linked);
    expect(await violationsIn(statements)).toEqual([]);
    expect(await violationsIn(statements, 'HealthDCAT-AP')).toEqual([]);
  });

  it('should be complete for the command `check linked-data`', async () => {
    expect(await runCatalog(catalog.environment, ['check', 'linked-data'])).toEqual(['8 of 8 datasets are valid.']);
    expect(await runCatalog(catalog.environment, ['check', 'linked-data', '--all'])).toEqual([
      '9 of 9 datasets are valid.',
    ]);
  });

  it('should be checked as the key of an endpoint reads them, by level of access', async () => {
    const check = (...words: string[]): Promise<string[]> =>
      runCatalog(catalog.environment, ['check', 'linked-data', '--endpoint', 'Research Data Portal', ...words]);
    const counts = [];
    for (const level of ['PUBLIC', 'RESTRICTED', 'NON_PUBLIC']) counts.push(await check('--access', level));
    expect(counts).toEqual([
      ['1 of 1 datasets are valid.'],
      ['6 of 6 datasets are valid.'],
      ['1 of 1 datasets are valid.'],
    ]);
  });

  it('should state the size that a program measured', async () => {
    const body = JSON.stringify({ platform: 'Data storage', location: 'data/raw/RDC_20/', bytes: 2 ** 41, files: 7 });
    const answer = await catalog.fetch('/api/datasets/RDC_20/storages', { method: 'POST', body, key: globalKey });
    expect(answer.status).toBe(204);
    const dataset = (await (await catalog.fetch('/api/dcat/datasets/RDC_20')).json()) as Linked;
    expect(dataset['dcat:distribution']).toMatchObject({ 'dcat:byteSize': 2 ** 41 });
    expect(await violationsOf(catalog, 'RDC_20')).toEqual([]);
  });

  it('should violate the profile only in the facts that a steward has to state', async () => {
    const changed = await startSample(centre);
    const body = JSON.stringify({ metadata: {} });
    const answer = await changed.fetch('/api/datasets/RDC_22', { method: 'PATCH', body, key: globalKey });
    expect(answer.status).toBe(200);
    const missing = ['categories', 'structured', 'provenance'].map((member) => `metadata.healthdcat.${member}`);
    expect(await checked(changed)).toEqual([
      `RDC_22\thealth:healthCategory\tLess than 1 values\t${String(missing[0])}`,
      `RDC_22\thealth:hasStructuredData\tLess than 1 values\t${String(missing[1])}`,
      'RDC_22\t-\tA dataset that is not public must have a contact, a keyword, a type and its provenance.\t' +
        missing.join(', '),
      `RDC_22\tdct:provenance\tHealthDCAT-AP requires the fact.\t${String(missing[2])}`,
      '7 of 8 datasets are valid.',
      'Some datasets are invalid. State the facts in the fields and settings that the lines name.',
      'exit code 1',
    ]);
    // The violation without a path is that of a dataset that is not public: it has no provenance.
    expect((await violationsOf(changed, 'RDC_22')).sort()).toEqual(['', 'hasStructuredData', 'healthCategory']);
    await changed.stop();
  });

  it('should violate the profile in the access body and the contacts when the settings do not name them', async () => {
    const silent = await startSample({});
    expect((await violationsOf(silent, 'RDC_11')).sort()).toEqual(['custodian', 'hdab', 'publisher']);
    const lines = await checked(silent);
    expect(lines).toContain('RDC_11\thealth:hdab\tLess than 1 values\tthe setting ACCESS_BODY');
    expect(lines).toContain(
      'RDC_11\tdcat:contactPoint\tHealthDCAT-AP requires the fact.\t' +
        'the setting DATA_CONTACT_EMAIL or the setting DATA_CONTACT_PAGE',
    );
    expect(lines).toContain('0 of 8 datasets are valid.');
    await silent.stop();
  });
});
