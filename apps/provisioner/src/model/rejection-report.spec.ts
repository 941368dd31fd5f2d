import { anEnding, aRequest } from '../../test/support/requests.js';
import type { ImportEnding } from './import-record.js';
import { rejectionReportOf } from './rejection-report.js';

describe(rejectionReportOf, () => {
  const request = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'DS-1');

  it('should count the listed files when an earlier release rejected the delivery', () => {
    const file = { path: '', state: 'failed', code: 'file.missing', message: 'm' } as const;
    const error = { code: 'file.missing', message: 'm', file: null } as const;
    const ending: ImportEnding = { ...anEnding(request, 'rejected'), error, files: [file, { ...file, path: 'b' }] };
    expect(rejectionReportOf(ending)).toMatchObject({
      ...{ delivery: null, counts: { 'file.missing': 2 }, problems: [{ path: null }, { path: 'b' }] },
    });
  });

  it('should not contain the address and the name of the caller', () => {
    const ending: ImportEnding = {
      ...anEnding({ ...request, requested_from: '192.0.2.7', requested_by: 'a person' }, 'rejected'),
      error: { code: 'file.missing', message: 'm', file: null },
    };
    expect(JSON.stringify(rejectionReportOf(ending))).not.toMatch(/192\.0\.2\.7|a person/);
  });

  it('should be absent when the import was not rejected', () => {
    expect(rejectionReportOf(anEnding(request, 'failed'))).toBeNull();
  });
});
