import type { FastifyRequest } from 'fastify';
import type { IdentifiedRequest, Principal } from '@rdc/auth';
import type { Asking } from './import-requests.js';

/** Who makes a request, as it is kept with the import. */
export function askerOf(request: FastifyRequest & IdentifiedRequest): Pick<Asking, 'requested_by' | 'requested_from'> {
  return { requested_by: nameOf(request.principal), requested_from: request.clientAddress };
}

function nameOf(caller: Principal | undefined): string {
  if (caller?.kind === 'global') return 'global key';
  if (caller?.kind === 'service') return `service:${caller.name}`;
  return caller?.kind === 'session' ? `user:${caller.userId}` : (caller?.kind ?? 'anonymous');
}
