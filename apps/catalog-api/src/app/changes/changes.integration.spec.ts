import { globalKey } from '../../../test/catalog.js';
import { keys, startSmallCatalog, type SmallCatalog } from '../../../test/small-catalog.js';
import type { ChangeResponse, ChangesResponse } from './changes.dto.js';
import { WithdrawnSweep } from '../../publishing/documents/withdrawn.sweep.js';

const path = '/api/changes';

describe('GET /api/changes', () => {
  let catalog: SmallCatalog;

  const page = async (key: string | undefined, query = ''): Promise<ChangesResponse> =>
    (await catalog.get(`${path}${query}`, key)) as unknown as ChangesResponse;

  /** Reads the feed to its end. */
  async function readAll(key: string | undefined, since?: string, limit = 100): Promise<ChangesResponse> {
    const items: ChangeResponse[] = [];
    for (let cursor = since; ;) {
      const from = cursor === undefined ? '' : `&since=${cursor}`;
      const answer = await page(key, `?limit=${String(limit)}${from}`);
      items.push(...answer.items);
      cursor = answer.cursor;
      if (!answer.has_more) return { items, cursor, has_more: false };
    }
  }

  const send = (method: string, address: string, body: object): Promise<Response> =>
    catalog.fetch(address, { method, key: globalKey, body: JSON.stringify(body) });

  const shortly = ({ items }: ChangesResponse): string[] =>
    items.map(({ event, list, external_id, id_at_source }) => `${event} ${list} ${external_id ?? id_at_source}`);

  const refusal = async (key: string | undefined, since: string): Promise<unknown> => {
    const response = await catalog.fetch(`${path}?since=${since}`, { ...(key !== undefined && { key }) });
    const { more, description } = (await response.json()) as { more: Record<string, unknown>; description: string };
    return { status: response.status, code: more['code'], reason: more['reason'], description };
  };

  describe('without writes', () => {
    beforeAll(async () => {
      catalog = await startSmallCatalog();
    });

    afterAll(() => catalog.stop());

    it('should begin with the records that the caller may read', async () => {
      const seen = async (key: string | undefined): Promise<string[]> => shortly(await readAll(key)).sort();
      expect(await seen(keys.first)).toEqual([
        'created cohorts RDC_102',
        'created datasets RDC_11',
        'created datasets RDC_12',
        'created partners 2',
        'created partners RDC_101',
        'created projects RDC_1',
        'created projects RDC_2',
      ]);
      expect(await seen(keys.plain)).toContain('created datasets RDC_13');
      expect(await seen(keys.none)).toEqual([
        'created cohorts RDC_102',
        'created datasets RDC_11',
        'created partners RDC_101',
        'created projects RDC_1',
      ]);
      expect((await readAll(keys.global)).items).toHaveLength(10);
    });

    it.each([1, 2, 1000])('should return the same changes in pages of %d', async (limit) => {
      expect((await readAll(keys.global, undefined, limit)).items).toEqual((await readAll(keys.global)).items);
    });

    it.each(['x', 'e30', '-', 'WzFd', 'a.b'])('should refuse %s, which is no cursor', async (since) => {
      expect(await refusal(keys.first, since)).toMatchObject({ status: 400, code: 'input.invalid' });
    });

    it('should refuse an unknown key', async () => {
      expect((await catalog.fetch(path, { key: keys.unknown })).status).toBe(403);
    });
  });

  describe('after writes', () => {
    beforeEach(async () => {
      catalog = await startSmallCatalog();
    });

    afterEach(() => catalog.stop());

    it('should return created, changed and withdrawn records after a cursor', async () => {
      const { cursor } = await readAll(keys.first);
      await send('POST', '/api/datasets/RDC_13/exposures', { endpoint: 'First portal', form_id: 1 });
      await send('PATCH', '/api/datasets/RDC_13', { description: 'changed after its creation' });
      await send('PATCH', '/api/datasets/RDC_11', { description: 'other' });
      await catalog.dataSource.query('DELETE FROM exposures WHERE dataset_id = 2');
      await catalog.documents.rebuildAll();
      const after = await readAll(keys.first, cursor, 1);
      expect(shortly(after).sort()).toEqual([
        'changed datasets RDC_11',
        'created datasets RDC_13',
        'created projects RDC_3',
        'withdrawn datasets RDC_12',
        'withdrawn projects RDC_2',
      ]);
      expect(shortly(await readAll(keys.first, after.cursor))).toEqual([]);
      await send('PATCH', '/api/datasets/RDC_13', { description: 'known by now' });
      expect(shortly(await readAll(keys.first, after.cursor))).toEqual(['changed datasets RDC_13']);
    });

    it('should return no withdrawal when the client has read nothing before it', async () => {
      await send('DELETE', '/api/datasets/RDC_13', {});
      expect(shortly(await readAll(keys.global)).filter((each) => each.startsWith('withdrawn'))).toEqual([]);
    });

    it('should return a withdrawal when it happens during the first read', async () => {
      const first = await page(keys.global, '?limit=9');
      const [removed] = first.items.filter(({ external_id }) => external_id === 'RDC_13');
      expect(removed).toBeDefined();
      await send('DELETE', '/api/datasets/RDC_13', {});
      expect(shortly(await readAll(keys.global, first.cursor))).toContain('withdrawn datasets RDC_13');
    });

    it('should return nothing when a record outside the view changes', async () => {
      const callers = [keys.none, keys.first, keys.second, keys.ada];
      const cursors = await Promise.all(callers.map(async (key) => (await readAll(key)).cursor));
      await send('PATCH', '/api/datasets/RDC_13', { description: 'hidden' });
      await send('DELETE', '/api/datasets/RDC_13', {});
      for (const [index, key] of callers.entries()) {
        expect(await page(key, `?since=${cursors[index] ?? ''}`)).toMatchObject({ items: [], has_more: false });
      }
    });

    it('should return later changes only when the feed begins now', async () => {
      const { cursor, items, has_more } = await page(keys.first, '?since=now');
      expect([items, has_more]).toEqual([[], false]);
      await send('PATCH', '/api/datasets/RDC_11', { description: 'other' });
      expect(shortly(await readAll(keys.first, cursor))).toEqual(['changed datasets RDC_11']);
    });

    it('should refuse the cursor of another caller and describe the remedy', async () => {
      const { cursor } = await readAll(keys.first);
      expect(await refusal(keys.second, cursor)).toMatchObject({
        status: 410,
        code: 'cursor.gone',
        reason: 'foreign',
        description: expect.stringContaining('Send the request without since') as unknown,
      });
      await catalog.dataSource.query('UPDATE document_state SET feed_id = gen_random_uuid()');
      expect(await refusal(keys.first, cursor)).toMatchObject({ status: 410, reason: 'foreign' });
    });

    it('should refuse a cursor when withdrawals since then may have been removed', async () => {
      const { cursor } = await readAll(keys.first);
      await catalog.app.get(WithdrawnSweep).sweep();
      expect((await page(keys.first, `?since=${cursor}`)).items).toEqual([]);
      await catalog.dataSource.query('UPDATE document_state SET swept_until = now()');
      expect(await refusal(keys.first, cursor)).toMatchObject({ status: 410, code: 'cursor.gone', reason: 'too_old' });
    });
  });
});
