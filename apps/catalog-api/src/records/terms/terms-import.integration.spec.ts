import { giveKey } from '../../../test/people.js';
import { problemsIn, startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';

const tsv = 'id\tlabel\tsynonyms\nHP:1\tTremor\tShaking\nHP:2\tSeizure\t\n';
const obo = 'format-version: 1.2\n\n[Term]\nid: HP:1\nname: Tremor\nsynonym: "Shaking" EXACT []\n';

describe('POST /api/import/terms/:category', () => {
  let catalog: WritableCatalog;
  const userKey = 'u'.repeat(64);

  beforeAll(async () => {
    catalog = await startWritableCatalog({ BODY_LIMIT: '2000' });
    await catalog.dataSource.query(`INSERT INTO users (id, roles) VALUES (1, '{data_steward}')`);
    await giveKey(catalog, { user: 1 }, userKey);
  });

  beforeEach(() => catalog.dataSource.query('TRUNCATE terms'));

  afterAll(() => catalog.stop());

  const termsAndTrail = async (): Promise<unknown> => [
    await catalog.dataSource.query('SELECT *, xmin::text FROM terms ORDER BY id'),
    (await catalog.read('/api/admin/audit?resource=terms')).body,
  ];

  it('should create the terms of a file in TSV', async () => {
    const { status, body } = await catalog.send('POST', '/api/import/terms/phenotype', tsv);
    const counts = { dry_run: false, terms: 2, created: 2, updated: 0, obsoleted: 0, unchanged: 0 };
    expect([status, body]).toEqual([200, { status: 'Success', ...counts }]);
  });

  it('should replace the vocabulary when the terms of a file in OBO are imported', async () => {
    await catalog.send('POST', '/api/import/terms/phenotype', tsv);
    const { body } = await catalog.send('POST', '/api/import/terms/phenotype', obo);
    expect(body).toMatchObject({ terms: 1, created: 0, obsoleted: 1, unchanged: 1 });
  });

  it('should find an imported term by its synonym', async () => {
    await catalog.send('POST', '/api/import/terms/phenotype', tsv);
    const found = await catalog.read('/api/termsearch/phenotype?search=shaking&page=1');
    expect(found.body).toMatchObject({ results: [{ text: 'Tremor', term_id: 'HP:1' }] });
  });

  it('should record each import in the audit trail', async () => {
    await catalog.send('POST', '/api/import/terms/study', tsv);
    await catalog.send('POST', '/api/import/terms/study', obo);
    expect((await catalog.read('/api/admin/audit?resource=terms&record_id=study')).body['items']).toMatchObject([
      { actor: 'global', action: 'import', record_id: 'study', after: { obsoleted: 1 } },
      { actor: 'global', action: 'import', record_id: 'study', after: { created: 2 } },
    ]);
  });

  it('should recognise OBO after comments and blank lines', async () => {
    const answer = await catalog.send(
      'POST',
      '/api/import/terms/phenotype?dry_run=true',
      `\uFEFF\n ! Made by\n!\r\n \r\n${obo}`,
    );
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ terms: 1 })]);
  });

  it.each([
    ['an empty file', '', 400, 'input.not_json'],
    ['a table without terms', 'id\tlabel\n', 400, 'input.invalid'],
    ['a table without the columns', 'name,colour\nx,blue\n', 400, 'input.invalid'],
    ['broken OBO Graphs', '{"graphs": 7}', 400, 'input.invalid'],
    ['a graph that is not an object', '{"graphs": [null]}', 400, 'input.invalid'],
    ['nodes that are not a list', '{"graphs": [{"nodes": 7}]}', 400, 'input.invalid'],
    ['a node that is not an object', '{"graphs": [{"nodes": [null]}]}', 400, 'input.invalid'],
    [
      'a label that is not text',
      '{"graphs": [{"nodes": [{"id": "x", "type": "CLASS", "lbl": 7}]}]}',
      400,
      'input.invalid',
    ],
    ['a file larger than BODY_LIMIT', `id\tlabel\n${'HP:1\tTremor\n'.repeat(300)}`, 413, 'input.too_large'],
  ])('should refuse %s', async (_, file, status, code) => {
    const answer = await catalog.send('POST', '/api/import/terms/gene', file);
    expect([answer.status, answer.body['more']]).toEqual([status, expect.objectContaining({ code })]);
  });

  it('should remove NUL characters from an id', async () => {
    const answer = await catalog.send('POST', '/api/import/terms/disease', 'id\tlabel\nS\0:1\tStudy\n');
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ created: 1 })]);
  });

  it('should name the invalid line and change nothing when one line is invalid', async () => {
    const answer = await catalog.send('POST', '/api/import/terms/phenotype', 'id\tlabel\nHP:8\tNew\nHP:9\t\n');
    expect(Object.keys(problemsIn(answer))).toEqual(['line 3']);
    expect((await catalog.read('/api/termsearch/phenotype?search=new&page=1')).body['results']).toEqual([]);
  });

  it('should report the changes of a dry run and change nothing', async () => {
    await catalog.send('POST', '/api/import/terms/phenotype', obo);
    const before = await termsAndTrail();
    const file = 'id\tlabel\nHP:1\tTremors\nHP:7\tChorea\n';
    const dry = await catalog.send('POST', '/api/import/terms/phenotype?dry_run=true', file);
    const counts = { terms: 2, created: 1, updated: 1, obsoleted: 0, unchanged: 0 };
    expect([dry.status, dry.body]).toEqual([200, { status: 'Success', dry_run: true, ...counts }]);
    expect(await termsAndTrail()).toEqual(before);
    const done = await catalog.send('POST', '/api/import/terms/phenotype?dry_run=false', file);
    expect(done.body).toEqual({ status: 'Success', dry_run: false, ...counts });
  });

  it('should refuse an invalid file in a dry run, and an invalid value of dry_run', async () => {
    const bad = await catalog.send('POST', '/api/import/terms/phenotype?dry_run=true', 'id\tlabel\nHP:9\t\n');
    expect(Object.keys(problemsIn(bad))).toEqual(['line 2']);
    for (const query of ['dry_run=', 'dry_run=1', 'dry_run=TRUE', 'dry_run=true&dry_run=true']) {
      const answer = await catalog.send('POST', `/api/import/terms/phenotype?${query}`, tsv);
      expect([answer.status, Object.keys(problemsIn(answer))]).toEqual([400, ['dry_run']]);
    }
  });

  it('should refuse an unknown vocabulary, the key of a user and GET', async () => {
    expect((await catalog.send('POST', '/api/import/terms/planet', tsv)).status).toBe(404);
    expect((await catalog.send('POST', '/api/import/terms/gene', tsv, { 'X-API-Key': userKey })).status).toBe(403);
    expect((await catalog.send('GET', '/api/import/terms/gene')).status).toBe(405);
  });
});
