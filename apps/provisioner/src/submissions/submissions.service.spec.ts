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
  const asked: string[] = [];
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
      asked.push(subject.id);
      return answer(subject);
    },
    submitPlace: answer,
  } as unknown as ImportRequests;
  const index = {
    list: () => {
      listed += 1;
      return Promise.resolve(listing);
    },
  } as unknown as SourceIndex;
  const service = new SubmissionsService(null as never, index, requests);

  it('should ask for several datasets at once, and look through the source once for all of them', async () => {
    const body = { reference: 'SUB-1', datasets: 'all' } as const;
    const { isUnderWay, datasets: answered } = await service.import(body, { requested_by: '', requested_from: '' });
    expect([most, listed, isUnderWay]).toEqual([8, 1, true]);
    expect(answered.map(({ dataset_id }) => dataset_id)).toEqual(datasets);
    expect(answered[3]).toMatchObject({ import_id: null, error: { code: 'record.unknown' } });
    expect(answered[4]).toMatchObject({ import_id: 'import of DS-4', error: null });
  });

  it('should look where else an id is only for those that are there twice', () => {
    expect(asked).toEqual(['SUB-1', 'DS-7']);
  });
});
