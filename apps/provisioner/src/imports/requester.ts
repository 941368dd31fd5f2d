import type { FastifyRequest } from 'fastify';
import type { IdentifiedRequest, Principal } from '@rdc/auth';
import type { RequestOptions } from './import-requests.js';

/** Returns the name and the address of the caller, which are stored with the import. */
export function requesterOf(
  request: FastifyRequest & IdentifiedRequest,
): Pick<RequestOptions, 'requested_by' | 'requested_from'> {
  return { requested_by: nameOf(request.principal), requested_from: request.clientAddress };
}

function nameOf(caller: Principal | undefined): string {
  if (caller?.kind === 'global') return 'global key';
  if (caller?.kind === 'service') return `service:${caller.name}`;
  return caller?.kind === 'session' ? `user:${caller.userId}` : (caller?.kind ?? 'anonymous');
}
