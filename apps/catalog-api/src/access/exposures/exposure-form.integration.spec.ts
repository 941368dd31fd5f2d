import { globalKey } from '../../../test/catalog.js';
import { problemsIn, startWritableCatalog, type WritableCatalog } from '../../../test/writing.js';

describe('POST /api/datasets/:id/exposures without form_id', () => {
  let catalog: WritableCatalog;

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
    catalog = await startWritableCatalog({ GLOBAL_API_KEY: globalKey, ...environment });
    await catalog.fill([
      { record: 'dataset', id: 1, external_id: 'D-1', uuid: crypto.randomUUID(), name: 'One' },
      { record: 'endpoint', id: 1, name: 'Portal' },
    ]);
  }

  afterEach(() => catalog.stop());

  it('should expose the dataset with form_id 0 when no access-request system is connected', async () => {
    await start();
    const answer = await catalog.send('POST', '/api/datasets/D-1/exposures', { endpoint: 'Portal' });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ endpoint: 'Portal', form_id: 0 })]);
  });

  it('should refuse the exposure when an access-request system is connected', async () => {
    await start({ ACCESSREQ_INTEGRATION_ENABLED: 'true' });
    const answer = await catalog.send('POST', '/api/datasets/D-1/exposures', { endpoint: 'Portal' });
    expect(answer.status).toBe(400);
    expect(problemsIn(answer)).toEqual({
      form_id: 'must be the number of a form, because an access-request system is connected',
    });
  });
});
