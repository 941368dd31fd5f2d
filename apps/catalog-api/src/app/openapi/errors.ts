import type { ErrorRules } from '@rdc/http';

/** The errors of the catalog in addition to those of every service. */
export const errorRules: ErrorRules = {
  meanings: {
    406: ['`Accept` names no media type of the response. `more.allowed` lists them.', 'response.not_acceptable'],
    410: ['The feed cannot continue at the cursor, because changes could be missing.', 'cursor.gone'],
    409: ['The write conflicts with another record.', 'record.conflict'],
    412: ['The record does not meet the condition of `If-Match` or `If-None-Match`.', 'precondition.failed'],
  },
  statusesOf: (path, method, { parameters = [] }) => {
    const isGuarded = parameters.some((parameter) => 'name' in parameter && parameter.name === 'If-Match');
    const canConflict = method !== 'get' && method !== 'delete' && !path.startsWith('/api/session');
    const statuses: readonly (readonly [number, boolean])[] = [
      [406, path.startsWith('/api/dcat')],
      [409, canConflict],
      [410, path === '/api/changes'],
      [412, isGuarded],
    ];
    return statuses.filter(([, isPossible]) => isPossible).map(([status]) => status);
  },
  codesOf: (status, method) => (status === 503 && method !== 'get' ? ['settings.differ'] : []),
};
