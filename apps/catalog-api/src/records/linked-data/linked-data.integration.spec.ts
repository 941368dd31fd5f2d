import { objectsOf, statementsOf, violationsIn, type Linked } from '../../../test/linked-data.js';
import { privateWords, richCatalog } from '../../../test/linked-records.js';
import { keys, startSmallCatalog, type SmallCatalog } from '../../../test/small-catalog.js';
import { useClassCodes } from '../datasets/use-condition.entity.js';

const base = 'https://catalog.example.org/';
const rich = `${base}api/dcat/datasets/RDC%2050%2F%C3%A9%3F%3C%26`;
const iri = {
  dct: (name: string) => `http://purl.org/dc/terms/${name}`,
  dcat: (name: string) => `http://www.w3.org/ns/dcat#${name}`,
  obo: (name: string) => `http://purl.obolibrary.org/obo/${name}`,
  odrl: (name: string) => `http://www.w3.org/ns/odrl/2/${name}`,
  schema: (name: string) => `http://schema.org/${name}`,
  health: (name: string) => `http://healthdataportal.eu/ns/health#${name}`,
  authority: (name: string) => `http://publications.europa.eu/resource/authority/${name}`,
};

/** The paths that return linked data, and the key of the request. */
const documents = [
  ['/api/dcat', undefined],
  ['/api/dcat?limit=1', undefined],
  [`/api/dcat/datasets/${encodeURIComponent('RDC 50/é?<&')}`, undefined],
  ['/api/dcat/projects/RDC_500', undefined],
  ['/api/datasets', keys.first],
  ['/api/datasets?limit=1', keys.global],
  [`/api/datasets/${encodeURIComponent('RDC 50/é?<&')}`, keys.global],
  ['/api/projects', keys.steward],
  ['/api/projects/RDC_500', keys.first],
] as const;

describe('linked data', () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog(richCatalog);
  });

  afterAll(() => catalog.stop());

  async function read(path: string, key?: string): Promise<Linked> {
    const options = { headers: { Accept: 'application/ld+json' }, ...(key !== undefined && { key }) };
    const answer = await catalog.fetch(path, options);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get('content-type')).toBe('application/ld+json; charset=utf-8');
    return (await answer.json()) as Linked;
  }

  it.each(documents)('should be valid DCAT-AP that is readable without loss or fetching: %s', async (path, key) => {
    const statements = await statementsOf(await read(path, key));
    expect(statements.length).toBeGreaterThan(5);
    expect(await violationsIn(statements)).toEqual([]);
  });

  it.each(documents)('should contain nothing private: %s', async (path, key) => {
    const text = JSON.stringify(await read(path, key));
    expect(privateWords.filter((word) => text.includes(word))).toEqual([]);
  });

  it('should describe a dataset', async () => {
    const said = await statementsOf(await read('/api/dcat'));
    const of = (property: string): string[] => objectsOf(said, rich, property);
    expect({
      title: of(iri.dct('title')),
      name: of(iri.schema('name')),
      description: of(iri.dct('description')),
      identifier: of(iri.dct('identifier')),
      issued: of(iri.dct('issued')),
      keywords: of(iri.dcat('keyword')),
      themes: of(iri.dcat('theme')),
      terms: of(iri.dct('subject')),
      legalBasis: of('https://w3id.org/dpv#hasLegalBasis'),
      personalData: of('https://w3id.org/dpv#hasPersonalData'),
      type: of(iri.dct('type')),
      distribution: of(iri.dcat('distribution')),
      legislation: of('http://data.europa.eu/r5r/applicableLegislation'),
      about: of(iri.schema('about')),
      rights: of(iri.dct('accessRights')),
      page: of(iri.dcat('landingPage')),
      uses: of(iri.schema('usageInfo')),
      records: of(iri.health('numberOfRecords')),
      individuals: of(iri.health('numberOfUniqueIndividuals')),
      project: of('http://www.w3.org/ns/prov#wasGeneratedBy'),
      publisher: of(iri.dct('publisher')),
    }).toEqual({
      title: ['Gait "and" tremor <b>'],
      name: ['Gait "and" tremor <b>'],
      description: ['Steps,\nline by line.'],
      identifier: ['RDC 50/é?<&'],
      issued: ['2024-06-07T08:09:10.111Z'],
      keywords: ['Samples', 'Sensor data', 'gait'],
      themes: [iri.authority('data-theme/HEAL'), iri.authority('data-theme/TECH')],
      terms: termsOfTheRichDataset,
      legalBasis: ['https://w3id.org/dpv/legal/eu/gdpr#A6-1-a'],
      personalData: ['https://w3id.org/dpv/dpv-pd#MedicalHealth'],
      type: [iri.authority('dataset-type/PERSONAL_DATA')],
      distribution: [`${rich}#distribution`],
      legislation: ['http://data.europa.eu/eli/reg/2025/327/oj'],
      about: termsOfTheRichDataset,
      rights: [iri.authority('access-right/RESTRICTED')],
      page: ['https://portal1.example.net/e/RDC%2050%2F%C3%A9%3F%3C%26'],
      uses: [iri.obo('DUO_0000007'), iri.obo('DUO_0000019')],
      records: ['12'],
      individuals: [],
      project: [`${base}api/dcat/projects/RDC_500`],
      publisher: [`${base}api/dcat#publisher`],
    });
  });

  it('should ignore facts of HealthDCAT-AP that are invalid, because imported metadata are not checked', async () => {
    const stated = {
      categories: ['EHRS', 'NONE', 7, { a: 1 }],
      themes: 'CANCER_DISEASE',
      dataset_types: 3,
      structured: 'yes',
      variables: [{ name: 'a' }, 'b', { name: 'c', description: 'd', datatype: 'date' }],
      provenance: ['x'],
      purpose: { text: 'x' },
      population: 4,
      min_age: -1,
      max_age: 1e30,
    };
    const setMetadata = async (metadata: string): Promise<void> => {
      await catalog.dataSource.query('UPDATE datasets SET metadata = $1 WHERE id = 50', [metadata]);
      await catalog.documents.rebuildAll();
    };
    const [before] = await catalog.dataSource.query<{ metadata: string }[]>(
      'SELECT metadata::text FROM datasets WHERE id = 50',
    );
    for (const healthdcat of [stated, 'text', null, [stated], 5]) {
      await setMetadata(JSON.stringify({ healthdcat }));
      const said = await statementsOf(await read('/api/dcat'));
      expect(await violationsIn(said)).toEqual([]);
      const categories = objectsOf(said, rich, iri.health('healthCategory')).map((each) => each.replace(/.*\//, ''));
      expect([JSON.stringify(healthdcat), categories]).toEqual([
        JSON.stringify(healthdcat),
        healthdcat === stated ? ['EHRS'] : [],
      ]);
    }
    await setMetadata(before?.metadata ?? '');
  });

  it('should contain each use condition as a rule in the policy of its data declaration', async () => {
    const said = await statementsOf(await read('/api/dcat'));
    const rulesOf = (kind: string): string[] =>
      objectsOf(said, `${rich}#declaration-1`, iri.odrl(kind)).flatMap((rule) =>
        objectsOf(said, rule, iri.odrl('constraint')).flatMap((constraint) =>
          objectsOf(said, constraint, iri.odrl('rightOperand')),
        ),
      );
    expect([rulesOf('permission'), rulesOf('obligation'), rulesOf('prohibition').sort()]).toEqual([
      [iri.obo('DUO_0000007')],
      [iri.obo('DUO_0000019')],
      ['IP claim terms', iri.obo('DUO_0000018')],
    ]);
    expect(objectsOf(said, rich, iri.odrl('hasPolicy'))).toEqual([`${rich}#declaration-1`]);
  });

  it('should describe a project', async () => {
    const said = await statementsOf(await read('/api/dcat/projects/RDC_500'));
    const of = (property: string): string[] => objectsOf(said, `${base}api/dcat/projects/RDC_500`, property);
    expect([
      of(iri.dct('title')),
      of('http://www.w3.org/ns/prov#startedAtTime'),
      of(iri.dct('isReferencedBy')),
    ]).toEqual([['The rich study'], ['2020-02-29T00:00:00Z'], ['https://doi.org/10.5555/a%28b%29']]);
  });

  it('should map every consent code to its term of the Data Use Ontology, if there is one', async () => {
    const rows = await catalog.dataSource.query<{ code: string; duo: string | null }[]>(
      'SELECT code, duo FROM use_classes',
    );
    expect(rows.map(({ code }) => code).sort()).toEqual([...useClassCodes].sort());
    expect(rows.filter(({ duo }) => !/^DUO_00000\d\d$/.test(duo ?? '')).map(({ code }) => code)).toEqual([
      'IP',
      'Other',
    ]);
    expect(new Set(rows.map(({ duo }) => duo)).size).toBe(rows.length - 1);
  });

  it.each([
    [[], 'NON_PUBLIC'],
    [[null], 'NON_PUBLIC'],
    [['open_access'], 'PUBLIC'],
    [['open_access', 'registered_access'], 'RESTRICTED'],
    [['controlled_access'], 'RESTRICTED'],
    [['open_access', null], 'NON_PUBLIC'],
  ])('should state the strictest access right of the data declarations: %j', async (categories, right) => {
    const data_declarations = categories.map((access_category, n) => ({ title: String(n), access_category }));
    const body = JSON.stringify({ name: 'Data 1', data_declarations });
    const put = await catalog.fetch('/api/datasets/RDC_11', { method: 'PUT', body, key: keys.global });
    expect(put.status).toBe(200);
    const document = await read('/api/dcat/datasets/RDC_11');
    expect(document['dct:accessRights']).toMatchObject({ '@id': `access:${right}` });
  });

  it('should publish the context of the documents', async () => {
    const answer = await catalog.fetch('/schemas/context.jsonld');
    const { '@context': published } = (await answer.json()) as { '@context': object };
    const { '@context': carried } = await read('/api/dcat');
    expect(carried).toEqual({ '@base': base, ...published });
  });
});

const termsOfTheRichDataset = [
  'http://identifiers.org/hgnc/1101',
  iri.obo('DOID_14330'),
  iri.obo('HP_0002066'),
  'http://www.ebi.ac.uk/efo/EFO_0000001',
];
