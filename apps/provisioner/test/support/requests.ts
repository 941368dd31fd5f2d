import { noProgress, type ImportEnding, type ImportRequest } from '../../src/model/import-record.js';
import { thisAgent } from '../../src/process/software-agent.js';

/** A request for a dataset's import, asked for just now. */
export function aRequest(id: string, subject: string): ImportRequest {
  return {
    id,
    kind: 'dataset',
    subject,
    attempt: 1,
    requested_by: 'test',
    requested_at: new Date().toISOString(),
    requested_from: '127.0.0.1',
    accepted_by: thisAgent,
  };
}

/** How a request ended just now, which never began. */
export function anEnding(of: ImportRequest, state: ImportEnding['state']): ImportEnding {
  return {
    ...of,
    state,
    started_at: null,
    finished_at: new Date().toISOString(),
    progress: noProgress,
    result: null,
    error: null,
    files: [],
    fingerprint: null,
    agent: thisAgent,
  };
}
