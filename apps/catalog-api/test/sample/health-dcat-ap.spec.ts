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
    expect(await runCatalog(catalog.environment, ['check', 'linked-data'])).toEqual([
      '8 of 8 public datasets have all facts of HealthDCAT-AP.',
    ]);
  });

  it('should violate the profile only in the facts that a steward has to state', async () => {
    const changed = await startSample(centre);
    const body = JSON.stringify({ metadata: {} });
    const answer = await changed.fetch('/api/datasets/RDC_22', { method: 'PATCH', body, key: globalKey });
    expect(answer.status).toBe(200);
    expect(await runCatalog(changed.environment, ['check', 'linked-data'])).toEqual([
      'RDC_22\t6 of 9\tmissing: health category (metadata.healthdcat.categories), ' +
        'structured data (metadata.healthdcat.structured), provenance (metadata.healthdcat.provenance)',
      '7 of 8 public datasets have all facts of HealthDCAT-AP.',
    ]);
    // The violation without a path is that of a dataset that is not public: it has no provenance.
    expect((await violationsOf(changed, 'RDC_22')).sort()).toEqual(['', 'hasStructuredData', 'healthCategory']);
    await changed.stop();
  });

  it('should violate the profile in the access body and the contacts when the settings do not name them', async () => {
    const silent = await startSample({});
    expect((await violationsOf(silent, 'RDC_11')).sort()).toEqual(['custodian', 'hdab', 'publisher']);
    const lines = await runCatalog(silent.environment, ['check', 'linked-data']);
    expect(lines).toContain(
      'RDC_11\t7 of 9\tmissing: contact (the setting DATA_CONTACT_EMAIL or DATA_CONTACT_PAGE), access body (the setting ACCESS_BODY)',
    );
    expect(lines.at(-1)).toBe('0 of 8 public datasets have all facts of HealthDCAT-AP.');
    await silent.stop();
  });
});
