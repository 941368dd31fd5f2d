import { DocumentValidator } from '../src/publishing/schemas/document-validator.js';
import { recordSchemas } from '../src/records/definitions/record-schemas.js';
import { listNames } from '../src/publishing/documents/list-names.js';
import { sampleRecords, startWritableCatalog, type Document, type WritableCatalog } from './writing.js';

const lists = {
  partners: '/api/partners',
  cohorts: '/api/cohorts?published=all',
  projects: '/api/projects',
  datasets: '/api/datasets',
  contracts: '/api/contracts?all=true',
};

/** The tables with records, documents and views. */
const everyRow = [
  ...['partners', 'contacts', 'cohorts', 'projects', 'publications', 'datasets', 'data_declarations', 'legal_bases'],
  ...['storage_locations', 'transfers', 'use_conditions', 'contracts', 'partner_roles', 'project_contacts'],
  ...['cohort_contacts', 'cohort_institutes', 'partner_role_contacts', 'contact_affiliations', 'audit_entries'],
  ...['project_documents', 'dataset_documents', 'contract_documents', 'partner_documents', 'cohort_documents'],
  ...[
    'view_records',
    'view_versions',
    'document_state',
    'project_custodians',
    'project_personnel',
    'dataset_custodians',
    'contract_custodians',
  ],
];

describe('the document of a record', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog({ HOME_ORGANISATION: 'Home Institute' });
    await catalog.fill(sampleRecords);
  });

  afterAll(() => catalog.stop());

  const itemsOf = async (from: WritableCatalog, list: keyof typeof lists): Promise<Document[]> => {
    const { body } = await from.read(lists[list]);
    return (body['items'] ?? body['results']) as Document[];
  };

  const everything = async (): Promise<Record<string, unknown>> => {
    const rows: Record<string, unknown> = {};
    for (const table of everyRow) {
      rows[table] = await catalog.dataSource.query(`SELECT * FROM ${table} AS row ORDER BY row::text COLLATE "C"`);
    }
    return rows;
  };

  it.each(listNames)('should match the published schema: %s', async (list) => {
    const validator = new DocumentValidator(recordSchemas[list]);
    const items = await itemsOf(catalog, list);
    expect(items.length).toBeGreaterThan(2);
    for (const item of items) expect(validator.problemsOf(item)).toEqual([]);
  });

  it('should change nothing when the body of a GET is PUT', async () => {
    const before = await everything();
    for (const list of listNames) {
      for (const item of await itemsOf(catalog, list)) {
        const path = `/api/${list}/${String(item['id_at_source'] ?? item['id'])}`;
        const read = await catalog.read(path);
        const put = await catalog.send('PUT', path, read.body, { 'If-Match': read.headers.get('etag') ?? '' });
        expect([put.status, put.headers.get('etag'), put.body]).toEqual([200, read.headers.get('etag'), read.body]);
      }
    }
    expect(await everything()).toEqual(before);
  });

  it('should be restored when it is PUT after every member was changed', async () => {
    for (const list of listNames) {
      for (const item of await itemsOf(catalog, list)) {
        const path = `/api/${list}/${String(item['id_at_source'] ?? item['id'])}`;
        const bare = await catalog.send('PUT', path, bareOf(list, item));
        expect([path, bare.status]).toEqual([path, 200]);
        const back = await catalog.send('PUT', path, item);
        expect([path, back.status, withoutPk(back.body)]).toEqual([path, 200, withoutPk(item)]);
      }
    }
  });

  it('should be the same in another catalog that imports it', async () => {
    const other = await startWritableCatalog();
    try {
      for (const list of ['partners', 'cohorts', 'projects', 'datasets'] as const) {
        for (const item of await itemsOf(catalog, list)) {
          const sent = {
            ...item,
            ...(list === 'cohorts' && { institutes: await namesOf(item['institutes'] as number[]) }),
          };
          const { status, body } = await other.send('POST', `/api/${list}?create_missing=true`, sent);
          expect([status, comparable(body)]).toEqual([201, comparable({ ...item, published: body['published'] })]);
        }
      }
    } finally {
      await other.stop();
    }
  });

  const namesOf = async (ids: readonly number[]): Promise<unknown[]> => {
    const partners = await itemsOf(catalog, 'partners');
    return ids.map((id) => partners.find((each) => each['id_at_source'] === String(id))?.['name']);
  };
});

function bareOf(list: string, item: Document): Document {
  if (list === 'projects') return { acronym: item['acronym'], contacts: [{ first_name: 'Other' }] };
  return { name: list === 'contracts' ? 'Other' : item['name'] };
}

function withoutPk(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (member, inner: unknown) => (member === 'pk' ? undefined : inner)),
  ) as unknown;
}

/** Returns the item without ids of this catalog and without custodians, which a write ignores. */
function comparable(item: Document): unknown {
  const external = (item['contacts'] as Document[] | undefined)?.filter(
    ({ affiliations }) => !(affiliations as string[] | undefined)?.includes('Home Institute'),
  );
  return withoutPk({ ...item, id_at_source: undefined, institutes: undefined, contacts: external });
}
