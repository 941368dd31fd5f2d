import type { ErrorRules } from '@rdc/http';

/** The errors of the catalog in addition to those of every service. */
export const errorRules: ErrorRules = {
  meanings: {
    410: ['The feed cannot continue at the cursor, because changes could be missing.', 'cursor.gone'],
    409: ['The write conflicts with another record.', 'record.conflict'],
    412: ['The record does not meet the condition of `If-Match` or `If-None-Match`.', 'precondition.failed'],
  },
  statusesOf: (path, method, { parameters = [] }) => {
    const isGuarded = parameters.some((parameter) => 'name' in parameter && parameter.name === 'If-Match');
    const canConflict = method !== 'get' && method !== 'delete' && !path.startsWith('/api/session');
    return [...(canConflict ? [409] : []), ...(path === '/api/changes' ? [410] : []), ...(isGuarded ? [412] : [])];
  },
};
