import type { ErrorRules } from '@rdc/http';

/** The errors of the catalog in addition to those of every service. */
export const errorRules: ErrorRules = {
  meanings: {
    406: ['`Accept` names no media type of the response. `more.allowed` lists them.', 'response.not_acceptable'],
    409: ['The write conflicts with another record.', 'record.conflict'],
    412: ['The record does not meet the condition of `If-Match` or `If-None-Match`.', 'precondition.failed'],
  },
  statusesOf: (path, method, { parameters = [] }) => {
    const isGuarded = parameters.some((parameter) => 'name' in parameter && parameter.name === 'If-Match');
    const canConflict = method !== 'get' && method !== 'delete' && !path.startsWith('/api/session');
    const isNegotiated = path.startsWith('/api/dcat');
    return [...(isNegotiated ? [406] : []), ...(canConflict ? [409] : []), ...(isGuarded ? [412] : [])];
  },
};
