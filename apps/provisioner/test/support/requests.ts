import { noProgress, type ImportEnding, type ImportRequest } from '../../src/model/import-record.js';
import { thisAgent } from '../../src/process/software-agent.js';

/** Returns a request for the import of a dataset. */
export function aRequest(id: string, subjectId: string): ImportRequest {
  return {
    id,
    kind: 'dataset',
    subject: { kind: 'dataset', id: subjectId },
    attempt: 1,
    requested_by: 'test',
    requested_at: new Date().toISOString(),
    requested_from: '127.0.0.1',
    accepted_by: thisAgent,
  };
}

/** Returns the ending of a request that never started. */
export function anEnding(request: ImportRequest, state: ImportEnding['state']): ImportEnding {
  return {
    ...request,
    state,
    started_at: null,
    finished_at: new Date().toISOString(),
    progress: noProgress,
    result: null,
    error: null,
    files: [],
    plan: null,
    fingerprint: null,
    agent: thisAgent,
  };
}
