import { UnknownRecordError } from '@rdc/errors';
import { setImmediate } from 'node:timers/promises';
import type { SubmitResult, ImportRequests } from '../imports/import-requests.js';
import type { ImportResponse } from '../imports/import.response.js';
import type { SourceIndex } from '../source/source-index.js';
import type { SourcePlace } from '../model/source-system.js';
import { SubmissionsService } from './submissions.service.js';

describe(SubmissionsService.name, () => {
  const datasets = Array.from({ length: 40 }, (_, at) => `DS-${String(at)}`);
  const listing = { submissions: [{ reference: 'SUB-1', datasets }], duplicates: { dataset: new Set(['DS-7']) } };
  const requested: string[] = [];
  let [listed, underWay, most] = [0, 0, 0];

  const answer = async ({ id }: Pick<SourcePlace, 'id'>): Promise<SubmitResult> => {
    most = Math.max(most, (underWay += 1));
    await setImmediate();
    underWay -= 1;
    if (id === 'DS-3') throw new UnknownRecordError('dataset', id);
    return { isUnderWay: id === 'DS-39', import: { id: `import of ${id}` } as ImportResponse };
  };
  const requests = {
    submit: (subject: SourcePlace) => {
      requested.push(subject.id);
      return answer(subject);
    },
    submitPlace: answer,
    requireNotWithdrawn: () => Promise.resolve(),
  } as unknown as ImportRequests;
  const index = {
    list: () => {
      listed += 1;
      return Promise.resolve(listing);
    },
  } as unknown as SourceIndex;
  const service = new SubmissionsService(null as never, index, requests, null as never, null as never);

  const importAll = (): ReturnType<SubmissionsService['import']> => {
    [listed, underWay, most, requested.length] = [0, 0, 0, 0];
    const body = { reference: 'SUB-1', datasets: 'all' } as const;
    return service.import(body, { requested_by: '', requested_from: '' });
  };

  it('should request several datasets concurrently and list the source once', async () => {
    const { isUnderWay, datasets: results } = await importAll();
    expect([most, listed, isUnderWay]).toEqual([8, 1, true]);
    expect(results.map(({ dataset_id }) => dataset_id)).toEqual(datasets);
    expect(results[3]).toMatchObject({ import_id: null, error: { code: 'record.unknown' } });
    expect(results[4]).toMatchObject({ import_id: 'import of DS-4', error: null });
  });

  it('should search the source again only for ids that occur twice', async () => {
    await importAll();
    expect(requested).toEqual(['SUB-1', 'DS-7']);
  });
});
