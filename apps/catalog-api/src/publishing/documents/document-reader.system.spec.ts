import { jest } from '@jest/globals';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { Client } from 'pg';
import { until } from '../../../../../test/support/until.ts';
import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { addDatasets } from '../../../test/many-datasets.js';
import { DocumentReader } from './document-reader.js';

/** About 24 MB, which is more than the socket buffers, so that the statement stops if a client does not read. */
const count = 10_000;

describe(DocumentReader.name, () => {
  let catalog: RunningCatalog;
  let unread: IncomingMessage | undefined;

  beforeAll(async () => {
    catalog = await startCatalog();
    await addDatasets(catalog, count);
  });

  afterEach(() => {
    unread?.destroy();
  });

  afterAll(() => catalog.stop());

  it('should stream a long list completely and in order', async () => {
    const response = await catalog.fetch('/api/datasets', { key: globalKey });
    const { items } = (await response.json()) as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).toEqual(Array.from({ length: count }, (_, n) => `Dataset ${String(n + 1)}`));
  });

  it('should run the same number of statements for ten thousand records as for one', async () => {
    const query = jest.spyOn(Client.prototype, 'query');
    try {
      const asked: number[] = [];
      for (const path of ['/api/datasets', '/api/datasets?project_id=1', '/api/datasets?limit=1000']) {
        const before = query.mock.calls.length;
        await (await catalog.fetch(path, { key: globalKey })).text();
        const statements = query.mock.calls
          .slice(before)
          .map(([statement]) =>
            typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text),
          );
        // The job that sends events looks for due events every second.
        asked.push(statements.filter((statement) => !/(UPDATE|DELETE FROM) event/.test(statement)).length);
      }
      // A list needs the snapshot with the version, the list and the commit. A page needs one statement.
      expect(asked).toEqual([3, 3, 1]);
    } finally {
      query.mockRestore();
    }
  });

  it('should release the connection immediately when the client disconnects', async () => {
    const response = await started();
    expect(await copying()).toHaveLength(1);
    response.destroy();
    await until(async () => (await copying()).length === 0);
    expect((await catalog.fetch('/api/datasets/1001', { key: globalKey })).status).toBe(200);
  });

  it('should abort the response when the database fails during the stream', async () => {
    const response = await started();
    const [backend] = await copying();
    await catalog.dataSource.query('SELECT pg_terminate_backend($1)', [backend]);
    const ended = jest.fn();
    response.on('end', ended).resume();
    await expect(once(response, 'close')).rejects.toThrow('aborted');
    expect(ended).not.toHaveBeenCalled();
    expect((await catalog.fetch('/api/datasets/1001', { key: globalKey })).status).toBe(200);
  });

  /** Starts a response whose client reads only the beginning. */
  async function started(): Promise<IncomingMessage> {
    const request = get(`${catalog.url}/api/datasets`, { headers: { 'X-API-Key': globalKey } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    unread = response;
    await once(response, 'readable');
    return response;
  }

  /** Returns the backends that are sending a list. */
  async function copying(): Promise<number[]> {
    const rows = await catalog.dataSource.query<{ pid: number }[]>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%' AND state = 'active'`,
    );
    return rows.map(({ pid }) => pid);
  }
});
