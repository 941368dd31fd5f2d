import type { FastifyRequest } from 'fastify';
import type { IdentifiedRequest } from '@rdc/auth';
import type { Asking } from './import-requests.js';

/** Who makes a request, as it is kept with the import. */
export function askerOf(request: FastifyRequest & IdentifiedRequest): Pick<Asking, 'requested_by' | 'requested_from'> {
  const kind = request.principal?.kind ?? 'anonymous';
  return { requested_by: kind === 'global' ? 'global key' : kind, requested_from: request.clientAddress };
}
