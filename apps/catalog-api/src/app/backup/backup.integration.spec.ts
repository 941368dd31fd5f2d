import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Accessions } from '../../publishing/writing/accessions.js';
import { AccessionsSettings } from '../../publishing/writing/accessions.settings.js';
import { createTestStore, type TestStore } from '../../../test/store.js';
import { exportBackup } from './backup-export.js';
import { importBackup } from './backup-import.js';

const header = '{"record":"catalog","format":1,"accessions":0}\n';

const example = `
{"record":"catalog","format":1,"accessions":12}
{"record":"user","id":3,"email":"Ada@example.org","first_name":"Ada","last_name":"Byron","roles":["data_steward"]}
{"record":"partner","id":1,"external_id":"RDC_7","name":"Example University","acronym":"EXU","published":true,"metadata":{"ror":"x","number":12345678901234567890.10}}
{"record":"contact","id":1,"first_name":"Max","last_name":"Weber","address":"One\u2028Two\u2029Three\u0085","type":"Researcher","partners":[1]}
{"record":"cohort","id":1,"external_id":"RDC_8","name":"Cohort one","contacts":[1],"institutes":[1]}
{"record":"platform","id":1,"name":"File server"}
{"record":"project","id":5,"external_id":"RDC_1","acronym":"ALPHA","name":"Alpha study","custodians":[3],"contacts":[1],"publications":[{"citation":"A. 2020.","doi":"10.1/a"},{"citation":"B. 2021."}]}
{"record":"dataset","id":4,"external_id":"RDC_2","uuid":"6f0e37a3-9d7e-4f2a-8f35-0c7f0c0b2f11","name":"Alpha genomes","project_id":5,"custodians":[3],"created_at":"2024-02-03T04:05:06.789Z","data_declarations":[{"title":"Genomes","data_types":["Samples"],"cohorts":[1],"use_conditions":[{"use_class":"GRU","use_condition_rule":"PERMISSION"}]},{"title":"Phenotypes"}],"legal_bases":[{"legal_basis_codes":["6.1(a)"],"data_declarations":["Phenotypes"]}],"storages":[{"platform_id":1,"location":"/a","accesses":["note"]}],"transfers":[{"partner_id":1,"transfer_date":"2021-05-06"}]}
{"record":"contract","id":9,"name":"Contract","project_id":5,"custodians":[3],"partner_roles":[{"partner_id":1,"roles":["processor"],"contacts":[1]}]}
{"record":"endpoint","id":2,"name":"Data portal","keys":[{"key_hash":"00"}]}
{"record":"exposure","id":1,"dataset_id":4,"endpoint_id":2,"form_id":8}
{"record":"grant","id":1,"user_id":3,"contract_id":9,"granted_by":"global"}
{"record":"access","id":1,"dataset_id":4,"user_id":3,"status":"active"}
{"record":"refused_entitlement","id":1,"application":7,"resource":"RDC_404","subject":"kc-1","ends":["2024-02-03T04:05:06.789Z",null],"reason":"unknown_resource","posts":2}
{"record":"term","id":7,"category":"disease","term_id":"DOID:1","label":"Épilepsie","synonyms":["fits"]}
`.trimStart();

describe('a backup', () => {
  let store: TestStore;
  let other: TestStore;
  let empty: TestStore;
  let imported: number;

  beforeAll(async () => {
    [store, other, empty] = await Promise.all([createTestStore(), createTestStore(), createTestStore()]);
    imported = await importInto(store, example);
  });

  afterAll(() => Promise.all([store.drop(), other.drop(), empty.drop()]));

  it('should contain the same bytes when it is imported into an empty catalog and exported again', async () => {
    expect(imported).toBe(14);
    const first = await exported(store);
    await importInto(other, first);
    expect(await exported(other)).toBe(first);
    expect(first).toContain('"One\u2028Two\u2029Three\u0085"');
    expect(first).toContain('"number": 12345678901234567890.10');
    expect(first.split('\n')[7]).toContain('"created_at":"2024-02-03T04:05:06.789+00:00"');
  });

  describe('of more records than one batch', () => {
    const users = Array.from({ length: 1_200 }, (_, at) => ({
      record: 'user',
      id: at + 1,
      last_name: `Person ${String(at)}`,
    }));
    const contacts = users.map(({ id }) => ({ record: 'contact', id, last_name: 'Weber', partners: [1] }));
    const partner = { record: 'partner', id: 1, name: 'Example University' };
    const records: readonly object[] = [...users, partner, ...contacts];
    const fileOf = (all: readonly object[]): string => header + all.map((each) => `${JSON.stringify(each)}\n`).join('');

    it('should name the invalid line and import no line when one line is invalid', async () => {
      const wrong = records.with(1_800, { record: 'contact', id: 600, partners: [99] });
      await expect(importInto(empty, fileOf(wrong))).rejects.toThrow('line 1802: insert or update on table');
      expect(await empty.dataSource.query('SELECT id FROM users')).toEqual([]);
    });

    it('should contain the same bytes when it is imported and exported again', async () => {
      const [one, two] = await Promise.all([createTestStore(), createTestStore()]);
      try {
        expect(await importInto(one, fileOf(records))).toBe(records.length);
        const first = await exported(one);
        expect(first.trimEnd().split('\n')).toHaveLength(records.length + 1);
        await importInto(two, first);
        expect(await exported(two)).toBe(first);
      } finally {
        await Promise.all([one.drop(), two.drop()]);
      }
    });
  });

  it('should set the sequences to the highest imported numbers', async () => {
    const [numbers] = await store.dataSource.query<[object]>(
      `SELECT nextval('accession_numbers')::integer AS accession, nextval(pg_get_serial_sequence('contracts', 'id'))::integer AS contract`,
    );
    expect(numbers).toEqual({ accession: 13, contract: 10 });
  });

  it('should be refused when the catalog is not empty', async () => {
    await expect(importInto(store, example)).rejects.toThrow('the catalog is not empty');
  });

  it.each([
    ['no header line', '{"record":"user","id":1}', 'line 1: must be'],
    ['an empty file', '', 'line 1: must be'],
    ['a line without an object', `${header}null`, 'line 2: a record must be an object'],
    ['a line that is not JSON', `${header}{"record":`, 'line 2:'],
    ['an unknown type', `${header}{"record":"planet","id":1}`, 'line 2: record must be one of user, partner'],
    ['an unknown member', `${header}{"record":"user","id":1,"nick":"x"}`, 'line 2: nick is not a recognised property'],
    ['no id', `${header}{"record":"user"}`, 'line 2: id must be a whole number'],
    ['a duplicate id', `${header}{"record":"user","id":1}\n{"record":"user","id":1}`, 'line 3: duplicate key'],
    ['an invalid value', `${header}{"record":"user","id":1}\n{"record":"user","id":2,"roles":["king"]}`, 'line 3:'],
    [
      'a missing reference',
      `${header}{"record":"contract","id":1,"project_id":99}`,
      'line 2: insert or update on table',
    ],
    ['an unknown title', header + dataset({ legal_bases: [{ data_declarations: ['x'] }] }), 'line 2: legal_bases[0].'],
    [
      'an unknown nested member',
      header + dataset({ storages: [{ id: 3 }] }),
      'line 2: storages[0].id is not a recognised property',
    ],
    ['an object instead of a list', header + dataset({ transfers: {} }), 'line 2: transfers must be an array'],
  ])('should be refused without any change when it contains %s', async (_, file, message) => {
    await expect(importInto(empty, file)).rejects.toThrow(message);
    expect(await empty.dataSource.query('SELECT id FROM users')).toEqual([]);
  });
});

function dataset(members: object): string {
  return JSON.stringify({ record: 'dataset', id: 1, uuid: crypto.randomUUID(), name: 'One', ...members });
}

function importInto({ dataSource, documents }: TestStore, file: string): Promise<number> {
  return importBackup(dataSource, Readable.from([Buffer.from(file)]), {
    accessions: new Accessions(new AccessionsSettings()),
    documents,
  });
}

async function exported({ dataSource }: TestStore): Promise<string> {
  const output = new PassThrough();
  const [all] = await Promise.all([text(output), exportBackup(dataSource, output).finally(() => output.end())]);
  return all;
}
