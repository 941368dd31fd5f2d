import { startServer } from '../../app/server.js';
import { problemsIn, startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';

describe('accessions', () => {
  let catalog: WritableCatalog;
  let names = 0;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
  });

  afterAll(() => catalog.stop());

  const bodies: Readonly<Record<string, (name: string) => object>> = {
    projects: (name) => ({ acronym: name, name }),
    datasets: (name) => ({ name }),
    partners: (name) => ({ name }),
    cohorts: (name) => ({ name }),
  };
  const kinds = Object.keys(bodies);

  const create = (kind: string, external_id: string): ReturnType<WritableCatalog['send']> =>
    catalog.send('POST', `/api/${kind}`, { ...bodies[kind]?.(`Name ${String(++names)}`), external_id });

  it.each(kinds.map((kind, at) => [kind, kinds[(at + 1) % kinds.length] ?? '']))(
    'should refuse the accession of one of the %s for one of the %s',
    async (first, second) => {
      const accession = `X-${first}`;
      expect((await create(first, accession)).status).toBe(201);
      const refused = await create(second, accession);
      expect(refused.status).toBe(400);
      expect(problemsIn(refused)['external_id']).toBe(
        `must be unique among all kinds of record: "${accession}" was given to one of the ${first}`,
      );
      const replaced = await catalog.send('PUT', `/api/${second}/${accession}`, bodies[second]?.('Replaced'));
      expect(replaced.status).toBe(400);
    },
  );

  it('should refuse the accession of a removed record for another kind, and restore the record under it', async () => {
    expect((await create('datasets', 'GONE-1')).status).toBe(201);
    expect((await catalog.send('DELETE', '/api/datasets/GONE-1')).status).toBe(204);
    expect((await create('partners', 'GONE-1')).status).toBe(400);
    expect((await catalog.send('PUT', '/api/datasets/GONE-1', { name: 'Restored' })).status).toBe(201);
  });

  it('should create no missing record under the accession of another kind', async () => {
    expect((await create('projects', 'TAKEN-1')).status).toBe(201);
    const answer = await catalog.send('POST', '/api/datasets?create_missing=true', {
      name: 'Dataset of a cohort',
      data_declarations: [{ title: 'One', cohorts: [{ cohort: 'New cohort', cohort_external_id: 'TAKEN-1' }] }],
    });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('which was given to one of the projects');
  });

  it('should refuse the accession when another transaction gives it to another kind at the same time', async () => {
    const [first, second] = [catalog.dataSource.createQueryRunner(), catalog.dataSource.createQueryRunner()];
    await Promise.all([first.startTransaction(), second.startTransaction()]);
    await first.query(`INSERT INTO partners (name, external_id) VALUES ('Race', 'RACE-1')`);
    const loser = second.query(`INSERT INTO cohorts (name, external_id) VALUES ('Race', 'RACE-1')`);
    await first.commitTransaction();
    await expect(loser).rejects.toThrow('the accession RACE-1 was given to one of the partners');
    await second.rollbackTransaction();
    await Promise.all([first.release(), second.release()]);
  });

  it('should continue after given numbers when the prefix changes', async () => {
    expect((await create('partners', 'NEXT_41')).status).toBe(201);
    const app = await startServer({ ...catalog.environment, ACCESSION_PREFIX: 'NEXT_' });
    const { port } = app.getHttpServer().address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${String(port)}/api/datasets`, {
      method: 'POST',
      headers: { 'X-API-Key': catalog.environment['GLOBAL_API_KEY'] ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'After the change of the prefix' }),
    });
    expect(response.headers.get('location')).toContain('NEXT_42');
    const former = await catalog.send('POST', '/api/datasets', { name: 'By the process with the previous prefix' });
    expect(former.status).toBe(503);
    await app.close();
    await (await startServer(catalog.environment)).close();
  });
});
